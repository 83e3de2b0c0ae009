"""What is drawn is of the contract: its kinds, and its fields on each."""

from bawab_training.draw import documents_flat, kinds


def test_drawn() -> None:
    """Every kind of the contract is drawn, and what its printed roles answer are fields of its data model."""
    assert set(documents_flat.SHARES) - {"unknown"} == set(kinds.NAMES)
    for kind, roles in documents_flat.ROLE_FIELDS.items():
        assert {field for fields in roles.values() for field in fields} <= kinds.FIELDS[kind], kind


def test_examined() -> None:
    """Screens and prints are looked for on all documents and on no plate."""
    assert set(kinds.NAMES) - kinds.EXAMINED == {"license_plate"}
