"""A link to a message leads to it in rooms of every size."""

import pytest

from tests.browser.conftest import SignIn
from tests.browser.links import lead_to_first_message
from tests.conftest import Api


@pytest.mark.contract("Web application 45")
def test_every_link_to_a_message_leads_to_it_in_rooms_of_every_size(api: Api, sign_in: SignIn) -> None:
    lead_to_first_message(api, sign_in, 1, 5, 5000)
