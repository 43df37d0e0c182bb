import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { backupName } from '../../src/backup/names'
import { keptBy, removable } from '../../src/backup/prune'
import { keepRule } from '../../src/values/keep-rule'

const day = 86_400_000
const at = (text: string) => Date.parse(text)

/** Seconds, as in the names of backups; some are close together. */
const times = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: 1_700_000_000, max: 1_700_000_000 + 400_000 }),
      fc.integer({ min: 0, max: 4_000_000_000 }),
    ),
    { maxLength: 60 },
  )
  .map((seconds) => seconds.map((second) => second * 1000))
const count = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined })
const rules = fc
  .record({ d: count, w: count, m: count, y: count })
  .map((rule) => JSON.parse(JSON.stringify(rule)) as { d?: number; w?: number; m?: number; y?: number })

/** A second implementation: names each time's period by the calendar. */
const nameOf = {
  d: (time: number) => new Date(time).toISOString().slice(0, 10),
  w: (time: number) => {
    const monday = new Date(time)
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
    return monday.toISOString().slice(0, 10)
  },
  m: (time: number) => new Date(time).toISOString().slice(0, 7),
  y: (time: number) => new Date(time).toISOString().slice(0, 4),
}

test('the newest backup of each of the last days, weeks, months and years that have one is kept, and no others', () => {
  fc.assert(
    fc.property(times, rules, (all, rule) => {
      const expected = (['d', 'w', 'm', 'y'] as const).flatMap((letter) => {
        const newest = Map.groupBy(all, nameOf[letter])
          .values()
          .map((group) => Math.max(...group))
        return [...newest].sort((a, b) => b - a).slice(0, rule[letter] ?? 0)
      })
      expect([...keptBy(rule, all)].sort()).toEqual([...new Set(expected)].sort())
    }),
    { numRuns: 300 },
  )
})

test('hours are those before the newest backup, so that hourly backups stay for a day and daily ones are not multiplied', () => {
  const hour = 3_600_000
  const newest = at('2026-04-08T12:30:00Z')
  const hourly = Array.from({ length: 200 }, (_, n) => newest - n * hour)
  expect(keptBy({ h: 24 }, hourly)).toEqual(new Set(hourly.slice(0, 24)))
  expect(keptBy({ h: 24, d: 7 }, hourly).size).toBe(24 + 5)
  const daily = Array.from({ length: 40 }, (_, n) => newest - n * day)
  expect(keptBy({ h: 24, d: 7 }, daily)).toEqual(keptBy({ d: 7 }, daily))
  expect(keptBy({ h: 2 }, [newest, newest - 60_000, newest - hour])).toEqual(new Set([newest, newest - hour]))
})

test('neither the newest backup nor the newest verified one is removed, and a second run removes nothing', () => {
  const found = fc.record({ isVerified: fc.boolean(), isDamaged: fc.boolean() })
  fc.assert(
    fc.property(times, rules, fc.infiniteStream(found), (all, rule, states) => {
      const names = all.map(backupName)
      const notes = Object.fromEntries(names.map((name) => [name, noteOf(states.next().value)]))
      const removed = removable(names, rule, notes)
      const newestFirst = names.toSorted().reverse()
      const verified = newestFirst.find(
        (name) => notes[name]?.verified_at !== null && notes[name]?.damage === undefined,
      )
      for (const kept of [newestFirst[0], verified])
        if (kept !== undefined) expect(removed).not.toContain(kept)
      const left = names.filter((name) => !removed.includes(name))
      expect(removable(left, rule, notes)).toEqual([])
      // A damaged one stays if no newer one is known to be good.
      for (const name of removed)
        if (notes[name]?.damage !== undefined) expect((verified ?? '') > name).toBe(true)
    }),
    { numRuns: 300 },
  )
})

const noteOf = ({ isVerified, isDamaged }: { isVerified: boolean; isDamaged: boolean }) => ({
  ...{ to: '/backups', bytes: 1, kiroku_version: '0.1.0', verified_at: isVerified && !isDamaged ? 1 : null },
  ...(isDamaged && { damage: 'it cannot be read' }),
})

test('days, weeks, months and years are in UTC, and weeks begin on Monday', () => {
  const [late, early] = [at('2026-03-31T23:59:59Z'), at('2026-04-01T00:00:00Z')]
  expect([...keptBy({ d: 9 }, [late, early])]).toEqual([early, late])
  expect([...keptBy({ m: 9 }, [late, early])]).toEqual([early, late])
  expect([...keptBy({ w: 9 }, [late, early])]).toEqual([early])
  const [sunday, monday] = [at('2026-04-05T23:00:00Z'), at('2026-04-06T01:00:00Z')]
  expect([...keptBy({ w: 9 }, [sunday, monday])]).toEqual([monday, sunday])
})

test('after a year without backups, the old ones still count', () => {
  const [old, older] = [at('2025-04-01T12:00:00Z'), at('2025-03-31T12:00:00Z')]
  expect([...keptBy({ d: 2 }, [older, old])]).toEqual([old, older])
})

test('the newest three of the copies from before upgrades are kept; other files are ignored', () => {
  const names = [1, 2, 3, 4, 5].map((n) => `before-000${n}_x-2026040${n}T120000Z.db`)
  const others = [
    'notes.json',
    'kiroku-99999999T999999Z.tar.zst',
    'kiroku.tar.zst',
    'before-x.db',
    'holiday.jpg',
  ]
  expect([...removable([...names, ...others], { d: 1 }, {})].sort()).toEqual(names.slice(0, 2))
})

test('a thousand backups, four a day, are reduced to what the rule says', () => {
  const names = Array.from({ length: 1000 }, (_, n) => backupName(at('2026-04-01T12:00:00Z') - n * (day / 4)))
  expect(names.length - removable(names, { d: 7, w: 4, m: 12 }, {}).length).toBe(17)
})

test.each(['', '7', 'd', '7d,', '0d', '7d,4d', '7x', '7d 4w', '10000d', '-1d', '7D'])(
  '%p is no rule',
  (text) => {
    expect(keepRule.read(text)).toHaveProperty('rule')
  },
)

test('a rule names each letter once, in any order', () => {
  expect(keepRule.read('12m,7d')).toEqual({ m: 12, d: 7 })
})
