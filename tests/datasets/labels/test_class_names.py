"""Classes have one order with a hash, and are read by name."""

from __future__ import annotations

import pytest

from datasets.eval_labels import LabelError
from datasets.labels.class_names import ORDERS, face_named, names_digest, read_classes
from scoring.cards import ALL_FACES, CARD_DICE_FACES, parse_face


def test_faces_are_the_54_in_the_order_of_the_words() -> None:
    order = ORDERS["faces"]
    assert order.names == tuple(face.code for face in CARD_DICE_FACES)
    assert len(order.names) == 54
    assert [order.number_of(face) for face in CARD_DICE_FACES] == list(range(54))


def test_order_has_not_changed() -> None:
    # exported sets carry it: a change here makes all of them another order
    assert ORDERS["faces"].digest.startswith("790abba6d9f6")


def test_every_order_has_its_own_hash() -> None:
    assert len({order.digest for order in ORDERS.values()}) == len(ORDERS)


def test_die_is_the_class_of_whatever_is_shown() -> None:
    order = ORDERS["die"]
    assert order.names == ("die",)
    assert order.number_of(None) == order.number_of(parse_face("QH")) == 0


def test_faces_know_no_other_dice_and_no_unread_die() -> None:
    assert ORDERS["faces"].number_of(parse_face("9")) is None
    assert ORDERS["faces"].number_of(None) is None
    assert ORDERS["all-faces"].number_of(parse_face("9")) == ALL_FACES.index(
        parse_face("9")
    )


def test_names_of_a_file_decide_whatever_their_order() -> None:
    faces = read_classes(["10h", "die", "rj"], None, "data.yaml")
    assert faces == (parse_face("TH"), None, parse_face("RJ"))


@pytest.mark.parametrize(
    ("names", "digest", "said"),
    [
        pytest.param([], None, "names no classes", id="none"),
        pytest.param(["QH", "cat"], None, "class 1: unknown class 'cat'", id="unknown"),
        pytest.param(["QH", 7.5], None, "unknown class 7.5", id="number"),
        pytest.param(["QH", "qh"], None, "classes 0 and 1 are both QH", id="twice"),
        pytest.param(
            ["QH", "KH"],
            names_digest(["KH", "QH"]),
            "states the class order",
            id="hash",
        ),
        pytest.param(["QH"], 5, "states the class order 5", id="no-hash"),
    ],
)
def test_unusable_classes_are_refused(
    names: list[object], digest: object, said: str
) -> None:
    with pytest.raises(LabelError, match=f"data.yaml.*{said}"):
        read_classes(names, digest, "data.yaml")


def test_own_hash_is_accepted() -> None:
    order = ORDERS["faces"]
    assert read_classes(order.names, order.digest, "x") == order.faces


def test_which_joker_is_never_guessed() -> None:
    with pytest.raises(LabelError, match="a:1"):
        face_named("joker", "a:1")
