"""Any picture file becomes upright 8-bit BGR, or an error that names it."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision import pictures
from vision.errors import PictureError
from vision.pictures import load_picture

RED, GREEN, BLUE, GREY = (220, 30, 20), (20, 200, 40), (30, 40, 230), (90, 90, 90)
"""RGB of the quarters: top left, top right, bottom left, bottom right."""

UNDONE = {
    1: [],
    2: [Image.Transpose.FLIP_LEFT_RIGHT],
    3: [Image.Transpose.ROTATE_180],
    4: [Image.Transpose.FLIP_TOP_BOTTOM],
    5: [Image.Transpose.TRANSPOSE],
    6: [Image.Transpose.ROTATE_90],
    7: [Image.Transpose.TRANSVERSE],
    8: [Image.Transpose.ROTATE_270],
}
"""How a camera held each way stores the upright picture."""


def quarters(width: int = 96, height: int = 64) -> Image.Image:
    image = Image.new("RGB", (width, height))
    for place, colour in enumerate((RED, GREEN, BLUE, GREY)):
        at = (place % 2 * width // 2, place // 2 * height // 2)
        image.paste(colour, (*at, at[0] + width // 2, at[1] + height // 2))
    return image


def assert_quarters(path: Path, off: int = 12, grey: bool = False) -> None:
    image = load_picture(path).image
    assert image.dtype == np.uint8
    assert image.shape == (64, 96, 3)
    assert image.flags.c_contiguous
    for place, rgb in enumerate((RED, GREEN, BLUE, GREY)):
        seen = image[16 + place // 2 * 32, 24 + place % 2 * 48].astype(int)
        if grey:
            weight = (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2]) / 1000
            assert np.ptp(seen) == 0
            assert abs(seen[0] - weight) <= off
        else:
            assert np.abs(seen - rgb[::-1]).max() <= off


def test_plain_jpeg_is_read(tmp_path: Path) -> None:
    quarters().save(tmp_path / "a.jpg", quality=95)
    assert_quarters(tmp_path / "a.jpg")


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".tif", ".webp"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_picture_is_turned_upright(
    tmp_path: Path, suffix: str, orientation: int
) -> None:
    stored = quarters()
    for step in UNDONE[orientation]:
        stored = stored.transpose(step)
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / f"a{suffix}", exif=exif, quality=95)
    assert_quarters(tmp_path / f"a{suffix}")


@pytest.mark.parametrize("mode", ["L", "LA"])
def test_grey_picture_is_read(tmp_path: Path, mode: str) -> None:
    quarters().convert(mode).save(tmp_path / "a.png")
    assert_quarters(tmp_path / "a.png", off=2, grey=True)


def test_cmyk_jpeg_is_read(tmp_path: Path) -> None:
    quarters().convert("CMYK").save(tmp_path / "a.jpg", quality=95)
    assert_quarters(tmp_path / "a.jpg")


def test_palette_picture_is_read(tmp_path: Path) -> None:
    quarters().quantize(8).save(tmp_path / "a.png")
    assert_quarters(tmp_path / "a.png")


def test_16_bit_grey_keeps_its_range(tmp_path: Path) -> None:
    deep = np.asarray(quarters().convert("L"), np.uint16) * 257
    Image.fromarray(deep).save(tmp_path / "a.png")
    assert_quarters(tmp_path / "a.png", off=2, grey=True)


def test_dark_16_bit_grey_stays_dark(tmp_path: Path) -> None:
    Image.fromarray(np.full((8, 8), 200, np.uint16)).save(tmp_path / "a.png")
    assert load_picture(tmp_path / "a.png").image.max() == 0


def chunk(kind: bytes, data: bytes) -> bytes:
    crc = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + crc


def png(width: int, height: int, depth: int, colour: int, rows: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def test_16_bit_colour_is_read(tmp_path: Path) -> None:
    deep = np.asarray(quarters(), np.uint16) * 257
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in deep)
    (tmp_path / "a.png").write_bytes(png(96, 64, 16, 2, rows))
    assert_quarters(tmp_path / "a.png", off=1)


def test_transparent_parts_lie_over_neutral_grey(tmp_path: Path) -> None:
    image = quarters().convert("RGBA")
    image.putalpha(0)
    image.save(tmp_path / "a.png")
    assert np.unique(load_picture(tmp_path / "a.png").image).tolist() == [128]


def test_first_frame_of_an_animation_is_read(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (96, 64), c) for c in (GREEN, BLUE)]
    quarters().save(tmp_path / "a.gif", save_all=True, append_images=frames)
    assert_quarters(tmp_path / "a.gif")


@pytest.mark.parametrize("name", ["Würfel größer.jpg", "骰子 照片.jpg", "a b'$(c).jpg"])
def test_any_file_name_is_read(tmp_path: Path, name: str) -> None:
    quarters().save(tmp_path / name, quality=95)
    assert_quarters(tmp_path / name)


def refused(path: Path) -> str:
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    assert str(path) in str(caught.value)
    assert caught.value.source == str(path)
    return str(caught.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "a.jpg")


def test_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refused(tmp_path)


def test_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()
    assert "empty" in refused(tmp_path / "a.jpg")


def test_text_called_jpg_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("not a picture at all\n" * 30)
    assert "not a picture" in refused(tmp_path / "a.jpg")


def test_device_that_cannot_be_read_is_refused() -> None:
    refused(Path("/proc/self/mem"))


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".gif"])
def test_damaged_file_is_refused_wherever_it_is_cut(
    tmp_path: Path, suffix: str
) -> None:
    # noise, so that every part of the file matters
    noise = np.random.default_rng(1).integers(0, 256, (120, 160, 3), np.uint8)
    whole = tmp_path / f"whole{suffix}"
    Image.fromarray(noise).save(whole)
    data = whole.read_bytes()
    for share in (0.01, 0.1, 0.3, 0.5, 0.8, 0.95):
        path = tmp_path / f"cut-{share}{suffix}"
        path.write_bytes(data[: int(len(data) * share)])
        refused(path)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".tif"])
def test_scrambled_file_never_raises_anything_else(tmp_path: Path, suffix: str) -> None:
    whole = tmp_path / f"whole{suffix}"
    quarters().save(whole)
    data = np.frombuffer(whole.read_bytes(), np.uint8)
    rng = np.random.default_rng(2)
    named: list[bool] = []
    for number in range(60):
        spoilt = data.copy()
        places = rng.integers(0, len(data), 12)
        places[:3] = rng.integers(0, 64, 3)  # in the header, too
        spoilt[places] = rng.integers(0, 256, 12)
        path = tmp_path / f"{number}{suffix}"
        path.write_bytes(spoilt.tobytes())
        try:
            image = load_picture(path).image
        except PictureError as error:
            named.append(str(path) in str(error))
        else:
            assert image.ndim == 3
    assert named, "no file was damaged enough"
    assert all(named)


def test_png_of_400_megapixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(png(20000, 20000, 8, 0, b"\0" * 1000))
    assert "megapixels" in refused(path)


def test_png_just_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(png(8001, 8000, 8, 0, b"\0" * 1000))
    assert "8001 x 8000" in refused(path)


def test_jpeg_over_the_limit_is_read_reduced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MOST_PIXELS", 96 * 64 * 4)
    quarters(768, 512).save(tmp_path / "a.jpg", quality=95)
    picture = load_picture(tmp_path / "a.jpg")
    assert picture.shrunk == pytest.approx(4)
    assert picture.image.shape == (128, 192, 3)


def test_huge_progressive_jpeg_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MOST_PROGRESSIVE_PIXELS", 1000)
    quarters().save(tmp_path / "a.jpg", progressive=True)
    assert "progressive" in refused(tmp_path / "a.jpg")


def test_ordinary_picture_is_not_reduced(tmp_path: Path) -> None:
    quarters().save(tmp_path / "a.jpg")
    assert load_picture(tmp_path / "a.jpg").shrunk == pytest.approx(1)
