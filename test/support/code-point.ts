import fc from 'fast-check'

/**
 * One of any but surrogates, for `unit` of `fc.string`, often a common one. `'binary'` is the same, and takes most of a
 * second to make in each process.
 */
export const codePoint = fc
  .oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))
