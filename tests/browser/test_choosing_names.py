"""Names that are chosen while one writes, and keys of input methods."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SignIn
from tests.conftest import Api
from tests.wait_until import wait_until

# The keys of an input method, as Safari reports them: Enter ends the composition before it is pressed.
SAFARI = """(field) => {
  field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
  for (const key of ["Enter", "Escape", "ArrowUp"])
    field.dispatchEvent(new KeyboardEvent("keydown", { key, keyCode: 229, bubbles: true, cancelable: true }));
}"""
OTHERS = """(field) => {
  for (const key of ["Enter", "Escape", "ArrowUp"])
    field.dispatchEvent(new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, cancelable: true }));
}"""


@pytest.mark.contract("Web application 30")
@pytest.mark.parametrize("keys", [SAFARI, OTHERS], ids=["safari", "others"])
def test_a_key_of_an_input_method_acts_nowhere(api: Api, sign_in: SignIn, keys: str) -> None:
    api.send("before")
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    field.fill("へんか")
    field.evaluate(keys)
    expect(field).to_have_value("へんか")
    page.keyboard.press("Control+k")
    switcher = page.get_by_role("dialog").get_by_role("textbox")
    switcher.fill("general")
    expect(page.get_by_role("option").first).to_be_visible()
    switcher.evaluate(keys)
    expect(switcher).to_have_value("general")
    assert [each["text"] for each in api.person.get(api.messages).json()["messages"]] == ["before"]


@pytest.mark.contract("Web application 29")
def test_of_two_people_of_one_name_the_chosen_one_is_mentioned(api: Api, sign_in: SignIn) -> None:
    first, second = (_person(api, "Ada Twin") for _ in range(2))
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    for each in (second, first):
        _choose(page, field, each[-4:])
    field.press("Enter")
    expect(page.locator("article")).to_contain_text("@Ada Twin @Ada Twin")
    wait_until(lambda: newest_message(api)[0] == f"<@{second}> <@{first}>", "the message is stored")


@pytest.mark.contract("Web application 29")
def test_a_mention_stays_one_with_letters_after_it(api: Api, sign_in: SignIn) -> None:
    ada = _person(api, "Ada Twin")
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    field.fill("你好")
    _choose(page, field, "Ada Twin")
    field.press("Backspace")
    field.press_sequentially("さん")
    field.press("Enter")
    message = page.locator("article").first
    expect(message).to_contain_text("你好@Ada Twinさん")
    field.press("ArrowUp")
    edit = page.get_by_label("Edit message")
    expect(edit).to_have_value("你好@Ada Twinさん")
    edit.press_sequentially("!")
    edit.press("Home")
    edit.press_sequentially("1 ")
    edit.press("Enter")
    expect(message).to_contain_text("1 你好@Ada Twinさん!")
    edited = (f"1 你好<@{ada}>さん!", [ada])
    wait_until(lambda: newest_message(api) == edited, "the edit is stored")


def newest_message(api: Api) -> tuple[str, list[str]]:
    """Return the text and the mentions of the newest message."""
    messages = api.person.get(api.messages).json()["messages"]
    return (messages[0]["text"], messages[0]["mentions"]) if messages else ("", [])


def test_undo_brings_a_mention_back(api: Api, sign_in: SignIn) -> None:
    ada = _person(api, "Ada Twin")
    _person(api, "Ada Twin")
    page = sign_in("Grace")
    field = page.get_by_label("Message #general")
    _choose(page, field, ada[-4:])
    field.press("Backspace")
    field.press("Backspace")
    expect(field).to_have_value("@Ada Twi")
    for _ in range(3):
        if field.input_value().startswith("@Ada Twin"):
            break
        field.press("Control+z")
    expect(page.get_by_role("option")).to_have_count(0)  # of a chosen name nothing is offered
    field.press("Enter")
    expect(page.locator("article")).to_contain_text("@Ada Twin")
    wait_until(lambda: newest_message(api)[1] == [ada], "the message is stored")


def _person(api: Api, name: str) -> str:
    person_id, _ = api.new_person()
    api.sql("update actors set name = $2 where actor_id = $1", person_id, name)
    return person_id


def _choose(page: Page, field: Locator, option: str) -> None:
    """Type the beginning of a name, and choose the only option with this text."""
    field.press_sequentially("@Ada")
    page.get_by_role("option").filter(has_text=option).click()
