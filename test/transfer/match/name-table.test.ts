import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { NameTable } from '../../../src/transfer/match/name-table'

const name = fc.record({
  base: fc.string({ unit: fc.constantFrom('a', 'け', '鬼'), maxLength: 2 }),
  named: fc.record({
    id: fc.integer({ min: 1, max: 2 ** 31 }),
    season: fc.constantFrom('#1', '#2', '#2p'),
    rank: fc.integer({ min: 0, max: 2 }),
  }),
})

test('finds the works of each name in the order of insertion, and no others', () => {
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const table = new NameTable()
      for (const { base, named } of names) table.add(base, named)
      table.sort()
      for (const base of ['', 'a', 'け', '鬼a', 'aaa', ...names.map((one) => one.base)])
        expect(table.find(base)).toEqual(names.filter((one) => one.base === base).map(({ named }) => named))
    }),
  )
})
