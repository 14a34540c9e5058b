"""People mentioned on the page of a room: chosen while writing, and kept while the text around them changes."""

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.blocks import add, field, open_page, row, wait_for_texts, wait_until_saved
from tests.browser.conftest import SignIn
from tests.conftest import Api


def add_people(api: Api, *names: str) -> list[str]:
    """Make people with these names; return their mentions."""
    people = [api.new_person()[0] for _ in names]
    for person_id, name in zip(people, names, strict=True):
        api.sql("update actors set name = $2 where actor_id = $1", person_id, name)
    return [f"<@{each}>" for each in people]


def test_people_are_mentioned_on_a_page(api: Api, sign_in: SignIn) -> None:
    hopper, mary = add_people(api, "Grace Hopper", "Mary")
    page = sign_in("Jean")
    open_page(page, api)
    keys, text = page.keyboard, field(page, "Text")
    options = page.get_by_role("option")
    page.get_by_role("button", name="Write something").click()
    keys.type("Ask @Gr")
    expect(options.first).to_contain_text("Grace Hopper")
    keys.press("Enter")
    keys.type("or @Ma")
    options.filter(has_text="Mary").click()
    expect(text).to_have_value("Ask @Grace Hopper or @Mary ")
    expect(options).to_have_count(0)
    keys.press("Enter")
    keys.type("@Gr")
    expect(options.first).to_be_visible()
    keys.press("Escape")  # the list, not the text
    expect(options).to_have_count(0)
    expect(page.locator("textarea:focus")).to_have_value("@Gr")
    keys.press("Escape")
    wait_for_texts(api, f"Ask {hopper} or {mary} ", "@Gr")
    page.reload()
    read = row(page, "Ask")
    expect(read).to_contain_text("Ask @Grace Hopper or @Mary")
    read.get_by_text("Ask").click(position={"x": 2, "y": 5})
    expect(text).to_have_value("Ask @Grace Hopper or @Mary ")
    assert violations(page) == []
    keys.press("End")
    keys.type("today")
    keys.press("Home")
    keys.type("Please: ")
    for _ in range(len("Ask @Grace Hopper")):
        keys.press("ArrowRight")
    keys.press("Enter")  # between the mentions
    expect(page.locator("textarea:focus")).to_have_value(" or @Mary today")
    wait_for_texts(api, f"Please: Ask {hopper}", f" or {mary} today", "@Gr")
    keys.press("Backspace")  # joins them again; the caret is where they meet
    keys.type(",")
    expect(text).to_have_value("Please: Ask @Grace Hopper, or @Mary today")
    wait_for_texts(api, f"Please: Ask {hopper}, or {mary} today", "@Gr")


def test_a_mention_on_a_page_ends_with_its_name_and_undo_brings_it_back(api: Api, sign_in: SignIn) -> None:
    [mary] = add_people(api, "Mary")
    add(api, f"{mary} writes")
    page = sign_in("Jean")
    open_page(page, api)
    row(page, "writes").click()
    text = field(page, "Text")
    expect(text).to_have_value("@Mary writes")
    for key in ("Home", *["ArrowRight"] * 3, "Delete"):
        page.keyboard.press(key)
    expect(text).to_have_value("@May writes")
    wait_for_texts(api, "@May writes")
    page.keyboard.press("Control+z")
    expect(text).to_have_value("@Mary writes")
    wait_for_texts(api, f"{mary} writes")
    for key in ("Home", *["ArrowRight"] * 3, "Enter"):  # in the name
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    wait_for_texts(api, "@Ma", "ry writes")


def test_people_are_mentioned_in_lists_and_tables(api: Api, sign_in: SignIn) -> None:
    [mary] = add_people(api, "Mary")
    page = sign_in("Jean")
    open_page(page, api)
    keys = page.keyboard
    page.get_by_role("button", name="Write something").click()
    keys.type("- @Ma")
    option = page.get_by_role("option", name="Mary")
    option.wait_for()
    keys.press("Tab")  # chooses, and does not nest
    keys.type("first")
    keys.press("Enter")
    keys.type("second")
    keys.press("Home")
    keys.press("Backspace")
    keys.type("+")
    expect(page.locator("textarea:focus")).to_have_value("@Mary first+second")
    wait_until_saved(api, [("list", [f"{mary} first+second"])])
    keys.press("End")
    keys.press("Enter")
    keys.press("Enter")
    keys.type("/table")
    keys.press("Enter")
    page.wait_for_selector("table")
    keys.type("Who is @Ma")
    option.click()
    keys.type("or not")
    keys.press("Escape")
    table = f"| Who is {mary} or not |  |\n| --- | --- |\n|  |  |\n|  |  |"
    wait_until_saved(api, [("list", [f"{mary} first+second"]), ("paragraph", table)])
    expect(page.get_by_role("columnheader", name="Who is @Mary or not")).to_be_visible()
