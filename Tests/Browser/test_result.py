"""The page of an answered link says what came of the answer, while it is open."""

from Support.deceptions import DECEPTION, SEEN


def result(linked):
    return linked.find("#result").get_attribute("data-status"), linked.find("#result").text.strip()


def test_the_page_says_what_came_of_the_answer(linked):
    linked.put(definition={"title": "Deploy?"}, resultWithin="10m")
    linked.lets_press()
    linked.ok.click()
    linked.ends("ok")
    linked.wait(lambda: result(linked) == ("running", "Running…"))
    told = {"status": "failed", "text": f"<b>Cluster</b> {DECEPTION}"}
    linked.asking.call("PUT", f"/asks/{linked.asked['id']}/result", told)
    linked.wait(lambda: result(linked)[0] == "failed")
    assert result(linked)[1] == f"Failed <b>Cluster</b> {SEEN}"
