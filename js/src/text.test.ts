import { describe, expect, test } from "vitest";
import { brief, clip, clipName, columnsOf, grouped, number, wrap } from "./text";

describe("number", () => {
  // Rounded as in jgrad/trace/document/sentences.py: exact halves away from zero.
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
  const value = { shape: [2, 2], dtype: "float32", elements: ["1.", "2.", "3.", "4."], norm: 5.477226 };
  expect(brief(value, 40)).toBe("[[1., 2.], [3., 4.]]");
  expect(brief(value, 15)).toBe("[[1., 2.], …]");
  expect(brief({ ...value, elements: null }, 40)).toBe("norm 5.477");
  expect(brief(null, 4)).toBe("None");
});

test("of a number the size is kept, not its first digits", () => {
  expect(clip("-5.7220e-06", 8)).toBe("-5.72e-6");
  expect(clip("-5.7220e-06", 7)).toBe("-5.7e-6");
  expect(clip("9007199254740993", 11)).toBe("9.007e15");
  expect(clip("-9.9999e+20", 6)).toBe("-1e21");
  expect(clip("-0.0000e+00", 7)).toBe("0.000e0");
  expect(clip("123456.5", 8)).toBe("123456.5");
  expect(clip("123.45678", 6)).toBe("123.4…");
  expect(clip("1.0000e-06", 3)).toBe("1.…");
  expect(clip("w * 1.0000e-06", 8)).toBe("w * 1.0…");
});

test("of a name both ends and the last index are kept, of an expression the beginning", () => {
  expect(clipName("rnn.weight_hh_l0", 12)).toBe("r…ight_hh_l0");
  expect(clipName("model[0].weight", 12)).toBe("m…[0].weight");
  expect(clipName("encoder.layers[1].self_attn.in_proj_weight", 16)).toBe("e…[1]…roj_weight");
  expect(clipName("old encoder.layers[1].weight", 16)).toBe("old e…[1].weight");
  expect(clipName("old encoder.layers[12].weight", 9)).toBe("old e…ght");
  expect(clipName("f(x, y).sum()", 8)).toBe("f(x, y)…");
  expect(clipName("漢字漢字", 5)).toBe("漢字…");
});

test("a value with nan has no norm that would hide it", () => {
  const value = {
    shape: [3],
    dtype: "float32",
    elements: ["nan", "1.0000", "2.0000"],
    norm: 2.236,
    nan_count: 1,
  };
  expect(brief({ ...value, elements: null }, 8)).toBe("norm nan");
  expect(brief({ ...value, elements: null, nan_count: 0, inf_count: 2, norm: null }, 20)).toBe("norm inf");
});
