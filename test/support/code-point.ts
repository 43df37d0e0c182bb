import fc from 'fast-check'

/**
 * Any code point but surrogates, for `unit` of `fc.string`, often a common one. `'binary'` is the same, but takes most
 * of a second to create in each process.
 */
export const codePoint = fc
  .oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))
