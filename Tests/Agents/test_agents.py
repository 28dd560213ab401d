"""The official SDK asks people through `okcancel mcp` and `POST /mcp`."""

import asyncio
import concurrent.futures
import time

import pytest
from Support.client import answer
from Support.nested import ANSWER, FORM, SCHEMA, VALUES
from Support.waiting import wait_until
from sdk import ERAS, MCPError, connect, link_opener

APPROVAL = {"title": "Deploy version 4.2 to production?"}
EMAIL = {
    "title": "Your email", "fields": [{"name": "email", "kind": "email"}, {"name": "age", "kind": "integer", "optional": True}]}

pytestmark = pytest.mark.parametrize("era", ERAS)


@pytest.fixture(params=["stdio", "http"])
def target(request, server):
    return "stdio" if request.param == "stdio" else server



async def test_a_person_answers_in_a_real_browser(target, era, browser):
    async with connect(target, era) as agent:
        opened = await agent.call("ask_person", EMAIL)
        assert opened.data["status"] == "open" and opened.data["link"] in opened.texts[1]

        def person():
            browser.open(opened.data["link"])
            # Nothing can be typed before the dialog's script has come, and no press counts before a person can have read.
            wait_until(lambda: browser.js(
                "const dialog = document.getElementById('dialog');"
                "return dialog?.hasAttribute('data-ready') && dialog.gate.counts()"))
            browser.find("[name=email]").send_keys("ann@example.com\n")

        waiting = asyncio.create_task(agent.call("ask_outcome", {"id": opened.data["id"]}))
        await asyncio.to_thread(person)
        closed = await waiting
        assert closed.data["outcome"] == "ok"
        assert closed.data["values"] == {"email": "ann@example.com", "age": None}


async def test_objects_lists_and_unions_are_asked_and_answered(target, era):
    async with connect(target, era) as agent:
        opened = await agent.call("ask_person", {"schema": SCHEMA, "values": VALUES, "key": f"{time.time()}"})
        await asyncio.to_thread(answer, opened.data["link"], FORM)
        assert (await agent.call("ask_outcome", {"id": opened.data["id"]})).data["values"] == ANSWER
        wrong = await agent.call("ask_person", {"schema": SCHEMA, "values": {"address": {"town": "Rome"}}})
        assert wrong.is_error and "At values/address/town: " in wrong.texts[0]


async def test_a_client_that_takes_urls_opens_the_link_and_the_model_never_sees_it(target, era):
    opened = []
    async with connect(target, era, elicit=link_opener(opened)) as agent:
        async def asked():
            # Over HTTP, before 2026-07-28, the client learns of the link from an error.
            try:
                return await agent.call("ask_person", APPROVAL)
            except MCPError as error:
                assert error.error.code == -32042 and target != "stdio" and era == "legacy"
                opened.append(error.error.data["elicitations"][0]["url"])
                return await agent.call("ask_person", APPROVAL)

        waiting = asyncio.create_task(asked())
        while not opened:
            await asyncio.sleep(.02)
        await asyncio.to_thread(answer, opened[0])
        result = await waiting
        assert result.data["outcome"] == "ok"
        assert opened[0] not in "".join(result.texts)
        assert len(opened) == 1
        # Yesterday's approval never answers today's question.
        with pytest.raises(Exception):
            await agent.call("ask_person", APPROVAL, limit=5)
        assert len(opened) == 2 or target != "stdio" and era == "legacy"


async def test_the_same_call_finds_the_open_ask_and_its_undelivered_outcome(target, era):
    question = APPROVAL | {"title": f"Deploy {target} {era} {time.time()}?", "key": f"{time.time()}"}
    async with connect(target, era) as agent:
        first = await agent.call("ask_person", question)
        again = await agent.call("ask_person", question | {"wait": 0})
        assert again.data == first.data
        await asyncio.to_thread(answer, first.data["link"])
        found = await agent.call("ask_person", question)
        assert (found.data["id"], found.data["outcome"]) == (first.data["id"], "ok")
        new = await agent.call("ask_person", question)
        assert new.data["status"] == "open" and new.data["id"] != first.data["id"]
        other = await agent.call("ask_person", question | {"title": "Delete everything?"})
        assert other.is_error and "key" in other.texts[0]


async def test_within_one_process_a_call_needs_no_key_to_find_its_ask(era):
    async with connect("stdio", era) as agent:
        first = await agent.call("ask_person", APPROVAL)
        assert (await agent.call("ask_person", APPROVAL | {"wait": 0})).data["id"] == first.data["id"]
    async with connect("stdio", era) as agent:
        assert (await agent.call("ask_person", APPROVAL)).data["id"] != first.data["id"]


async def test_a_client_that_gives_up_before_the_person_answers_gets_the_answer_later(target, era):
    """The person answers between two of its calls."""
    question = APPROVAL | {"title": f"Slow {target} {era} {time.time()}?", "wait": 1}
    async with connect(target, era) as agent:
        opened = await agent.call("ask_person", question)
        assert opened.data["status"] == "open"
        again = await agent.call("ask_outcome", {"id": opened.data["id"], "wait": 1})
        assert again.data["status"] == "open"
        await asyncio.to_thread(answer, opened.data["link"])
        result = await agent.call("ask_outcome", {"id": opened.data["id"], "wait": 1})
        assert (result.data["status"], result.data["outcome"]) == ("closed", "ok")


async def test_progress_is_told_while_a_person_is_waited_for(target, era):
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    async with connect(target, era) as agent:
        result = await agent.call("ask_person", APPROVAL | {"wait": 1, "key": f"{time.time()}"}, progress=progress)
        assert result.data["status"] == "open"
        assert seen == [(0, 1, "Waiting for the person to answer")]


async def test_a_model_is_told_what_to_send_instead(target, era):
    mistakes = [
        ({"prompt": "emial"}, "did you mean `email`?"),
        ({"prompt": "nothing-like-it"}, "list_prompts"),
        ({"titel": "Now?"}, "did you mean `title`?"),
        ({}, "Say what to ask"),
        ({"title": "Now?", "prompt": "email"}, "leave `title` out"),
        ({"title": "Now?", "fields": [{"name": "a"}, {"name": "a"}]}, "at fields/1/name: two fields are named `a`"),
        ({"title": "Now?", "fields": [{"name": "a", "kind": "emial"}]}, "at fields/0/kind: `kind` cannot be `emial`; did you mean `email`?"),
        ({"title": "Now?", "fields": [{"name": "a", "rules": [{"pattern": "("}]}]}, "at fields/0/rules/0"),
        ({"schema": "{"}, "as an object and not as a string"),
        ({"title": "Now?", "schema": {}, "fields": []}, "keep one of them"),
        ({"title": "Now?", "wait": "soon"}, "a whole number from 0 to 3600"),
        ({"title": "Now?", "expiresIn": 0}, "1 to 31622400"),
        ({"title": "Now?", "key": ""}, "`key`"),
        ({"title": "Now?", "message": "x" * 17_000}, "a string is too long at /message; at most 16384 bytes"),
        ({"title": "Now?", "fields": [{"name": "a", "help": "x" * 17_000}]}, "a string is too long at /fields/0/help"),
        ({"title": "Now?", "schema": {"type": "object", "properties": {f"f{n}": {} for n in range(300)}}},
         "too many keys at /schema/properties; at most 256 are read, and a question has at most 50 fields"),
        ({"title": "Now?", "values": {f"f{n}": "x" * 9000 for n in range(6)}}, "no field"),
        ({"title": "Now?", "context": [{"text": "x" * 9000}, {"text": "y" * 9000}]}, "at context: `context` has"),
        ({"title": "Now?", "context": [{"html": "<b>"}]}, "at context/0/html: a block has no key `html`"),
        ({"schema": {"type": "object"}, "ok": "Go"}, "`ok` goes with `fields`"),
        ({"schema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}}, "title": "Now?"},
         "at schema/properties/a"),
    ]
    async with connect(target, era, ["Examples"] if target == "stdio" else []) as agent:
        for arguments, told in mistakes:
            result = await agent.call("ask_person", arguments)
            assert result.is_error and told in result.texts[0] and "GET /" not in result.texts[0], (arguments, result.texts)
        for tool in ["ask_outcome", "withdraw_ask"]:
            for arguments in [{"id": "nonsense"}, {}, {"id": "0" * 26}]:
                result = await agent.call(tool, arguments)
                assert result.is_error and ("ask_person" in result.texts[0] or "no ask" in result.texts[0])


async def test_a_question_is_withdrawn_once(target, era):
    async with connect(target, era) as agent:
        opened = await agent.call("ask_person", APPROVAL | {"key": f"{time.time()}"})
        for _ in range(2):
            result = await agent.call("withdraw_ask", {"id": opened.data["id"]})
            assert result.data["outcome"] == "withdrawn"


async def test_prompts_on_offer_are_listed_and_asked_by_name(target, era):
    async with connect(target, era, ["Examples"] if target == "stdio" else []) as agent:
        listed = await agent.call("list_prompts")
        assert "email" in [prompt["name"] for prompt in listed.data["prompts"]]
        opened = await agent.call("ask_person", {"prompt": "email", "key": f"{time.time()}"})
        await asyncio.to_thread(answer, opened.data["link"], "outcome=ok&email=ann%40example.com")
        closed = await agent.call("ask_outcome", {"id": opened.data["id"]})
        assert closed.data["values"] == {"email": "ann@example.com"}


async def test_1000_asks_at_once(target, era):
    if era != ERAS[-1]:
        pytest.skip("the newer era is enough")
    count, opened = 1000, []
    question = f"{time.time()}"
    async with connect(target, era, elicit=link_opener(opened) if target == "stdio" else None) as agent:
        if target == "stdio":
            waiting = [
                asyncio.create_task(agent.call("ask_person", {"title": f"{question} {number}", "wait": 100}))
                for number in range(count)]
            while len(opened) < count:
                await asyncio.sleep(.1)
            links = opened
        else:
            asked = await asyncio.gather(
                *(agent.call("ask_person", {"title": f"{question} {number}"}) for number in range(count)))
            links = [result.data["link"] for result in asked]
            waiting = [
                asyncio.create_task(agent.call("ask_outcome", {"id": result.data["id"], "wait": 100}))
                for result in asked]
        with concurrent.futures.ThreadPoolExecutor(16) as people:
            await asyncio.gather(*(
                asyncio.get_running_loop().run_in_executor(people, answer, link) for link in links))
        results = await asyncio.gather(*waiting)
        assert [result.texts for result in results if result.is_error] == []
        assert [result.data["outcome"] for result in results] == ["ok"] * count
        assert len({result.data["id"] for result in results}) == count
