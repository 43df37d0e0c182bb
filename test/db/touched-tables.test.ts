import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Generations } from '../../src/db/generations/generations'
import type { Tables } from '../../src/db/generations/statement-tables'
import type { Store } from '../../src/db/open'
import { anyChange } from '../support/any-change'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

/** Remembers what each commit touched. */
class Remembering extends Generations {
  touched = new Set<string>()

  override committed(tables: Tables): void {
    super.committed(tables)
    for (const table of tables === 'any' ? ['any'] : tables) this.touched.add(table)
  }
}

const remembering: Remembering[] = []
const kiroku = await createInstance({
  seed: seedLibrary,
  generations: (handle) => {
    remembering.push(new Remembering(handle))
    return remembering[0] as Remembering
  },
})
afterAll(kiroku.close)

/** Temporary triggers note each changed row's table, whoever changes it on this connection. */
function noteChanges({ handle }: Store): () => string[] {
  handle.run('create temp table noted (name text)')
  const ordinary = handle
    .query<{ name: string }, []>(
      `select name from sqlite_schema where type = 'table' and rootpage > 0
       and name not like 'sqlite%' and name not like '%\\_search\\_%' escape '\\'`,
    )
    .all()
  for (const { name } of ordinary)
    for (const change of ['insert', 'update', 'delete'])
      handle.run(`create temp trigger note_${name}_${change} after ${change} on main.${name}
        begin insert into noted values ('${name}'); end`)
  return () => {
    const names = handle.query<{ name: string }, []>('select distinct name from noted').all()
    handle.run('delete from noted')
    return names.map(({ name }) => name)
  }
}

test('the tables that statements touch include all whose rows they change', async () => {
  const changed = noteChanges(kiroku.store)
  const change = await anyChange(kiroku)
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(change, async (one) => {
      changed()
      remembering[0]?.touched.clear()
      await one()
      const touched = remembering[0]?.touched ?? new Set()
      const missing = changed().filter((table) => {
        seen.add(table)
        return !touched.has(table)
      })
      expect(touched.has('any') ? [] : missing).toEqual([])
    }),
    { numRuns: 250 },
  )
  const often = ['records', 'reviews', 'activities', 'works', 'acts', 'episodes']
  expect([...seen]).toEqual(expect.arrayContaining(often))
}, 120_000)

test('nothing is current any more once the database cannot be asked', () => {
  const handle = new Database(':memory:')
  const generations = new Generations(handle)
  const at = generations.last()
  handle.close()
  generations.hasBegun()
  expect(generations.isCurrent(at, 'any')).toBe(false)
})
