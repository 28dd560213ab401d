"""Dates and times in a time zone: the page names the person's, the server decides."""

import datetime
import json
import urllib.parse
import zoneinfo

import pytest


@pytest.fixture
def meeting(dialog):
    return dialog.open("meeting")


def own_zone(dialog):
    return dialog.js("return new Intl.DateTimeFormat().resolvedOptions().timeZone")


def enter(dialog, name, text):
    dialog.js("arguments[0].value = arguments[1]", dialog.field(name), text)


def in_days(days):
    return (datetime.datetime.now() + datetime.timedelta(days=days)).strftime("%Y-%m-%dT09:30")


def test_the_answer_names_the_zone_of_the_browser(meeting):
    zone, at, by = own_zone(meeting), in_days(3), in_days(3)[:10]
    enter(meeting, "at", at)
    enter(meeting, "by", by)
    offset = datetime.datetime.fromisoformat(at).replace(tzinfo=zoneinfo.ZoneInfo(zone)).isoformat()[16:]
    offset = offset.removeprefix(":00")
    assert meeting.find("#zone-at").text == f"Time zone: {zone}, {offset}"
    assert meeting.find("#zone-by").text == f"Time zone: {zone}"
    meeting.wait(lambda: meeting.ok_is_enabled)
    meeting.js("addEventListener('okcancel:outcome', ({detail}) => sessionStorage.told = JSON.stringify(detail.values))")
    meeting.ok.click()
    meeting.ends("ok")
    told = json.loads(meeting.js("return sessionStorage.told"))
    assert told == {"at": f"{at}:00{offset}", "office": None, "by": by}
    sent = dict(urllib.parse.parse_qsl(meeting.posts()[-1][1]))
    assert sent["at"] == f"{at}{offset}[{zone}]"
    assert sent["by"] == f"{by}[{zone}]"


def test_a_moment_of_the_past_is_refused(meeting):
    enter(meeting, "at", "2020-01-01T09:30")
    meeting.wait(lambda: not meeting.ok_is_enabled)
    meeting.ok.click()
    meeting.wait(lambda: meeting.message("at").startswith("Enter a date and time from "))
    enter(meeting, "at", in_days(3))
    meeting.wait(lambda: meeting.message("at") == "" and meeting.ok_is_enabled)


def test_a_time_that_clocks_skip_is_refused_and_one_that_comes_twice_is_the_first(meeting):
    enter(meeting, "at", in_days(3))
    enter(meeting, "office", "2027-03-28T02:30")
    assert meeting.find("#zone-office").text == "Time zone: Europe/Berlin"
    meeting.ok.click()
    meeting.wait(lambda: meeting.message("office") == (
        "At that time, clocks skip from 02:00 to 03:00; enter an earlier or later time"))
    enter(meeting, "office", "2027-03-28T03:30")
    assert meeting.find("#zone-office").text == "Time zone: Europe/Berlin, +02:00"
    meeting.wait(lambda: meeting.message("office") == "")
    enter(meeting, "office", "2026-10-25T02:30")
    assert meeting.find("#zone-office").text == "Time zone: Europe/Berlin, +02:00"


def test_a_moment_that_was_there_before_is_shown_by_the_clock_of_the_person(dialog):
    dialog.open("moment")
    zone = zoneinfo.ZoneInfo(own_zone(dialog))
    moment = datetime.datetime.fromisoformat("2026-07-01T10:00:00+00:00").astimezone(zone)
    assert dialog.field("at").get_property("value") == moment.strftime("%Y-%m-%dT%H:%M")
    assert dialog.field("office").get_property("value") == "2026-07-01T12:00"
