import { describe, expect, test } from "vitest";
import { brief, clip, columnsOf, grouped, number, wrap } from "./text";

describe("number", () => {
  // As jgrad/trace/sentences.py rounds: exact halves away from zero.
  test.each([
    [0, "0"],
    [1, "1"],
    [-2.5, "-2.5"],
    [1.0625, "1.063"],
    [1.1875, "1.188"],
    [0.0001220703125, "1.221e-4"],
    [12345, "12345"],
    [1234500, "1.235e6"],
    [1235500, "1.236e6"],
    [999999.5, "1.000e6"],
    [2.34567, "2.346"],
    [0.1, "0.1"],
  ])("%d is %s", (x, s) => expect(number(x)).toBe(s));
});

test("columns, clipping and wrapping count wide characters twice", () => {
  expect(columnsOf("x漢")).toBe(3);
  expect(clip("漢字漢字", 5)).toBe("漢字…");
  expect(clip("a\nb", 9)).toBe("a b");
  expect(wrap("one two 漢字漢字漢 three", 7)).toEqual(["one two", "漢字漢", "字漢", "three"]);
});

test("thousands", () => {
  expect([999, 1000, 1234567].map(grouped)).toEqual(["999", "1,000", "1,234,567"]);
});

test("brief says as much of a value as fits", () => {
  const value = { shape: [2, 2], dtype: "float32", text: ["1.", "2.", "3.", "4."], norm: 5.477226 };
  expect(brief(value, 40)).toBe("[[1., 2.], [3., 4.]]");
  expect(brief(value, 15)).toBe("[[1., 2., …]]");
  expect(brief({ ...value, text: null }, 40)).toBe("norm 5.477");
  expect(brief(null, 4)).toBe("None");
});
