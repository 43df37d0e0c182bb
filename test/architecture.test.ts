import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const pathsIn = (document: string) =>
  new Set(readFileSync(join(root, document), 'utf8').match(/\b(?:src|test|scripts|db)\/[\w./-]*\w/g))
const named = pathsIn('docs/architecture.md')

/** A file that docs/contributing.md explains how to create. */
const example = 'src/messages/de.ts'

test.each(['docs/architecture.md', 'docs/contributing.md', 'docs/lists.md'])(
  'every path that %s names is there',
  (document) => {
    const paths = [...pathsIn(document)].filter((path) => path !== example)
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  },
)

test('docs/architecture.md names every folder and file at the top of src', () => {
  const rooms = readdirSync(join(root, 'src')).map((name) => `src/${name}`)
  expect(rooms.filter((room) => !named.has(room))).toEqual([])
})

/** What takes time by itself, by file of tests; anything else is waited for with `until`. */
const takesTime: Readonly<Record<string, string>> = {
  'test/backup/other-places.test.ts': 'a server that recovers its log',
  'test/backup/work-place.test.ts': 'another backup',
  'test/browser/layout.test.ts': 'a slow network',
  'test/cache/memory.test.ts': 'a rest',
  'test/catalogue/import/killed.test.ts': 'the moment of a kill',
  'test/cli/descriptors.test.ts': 'the time in which processor time is counted',
  'test/db/checkpoint-kills.test.ts': 'the moment of a kill, and a reader that prevents checkpoints',
  'test/db/durability.test.ts': 'the moment of a kill',
  'test/db/full-disk.test.ts': 'the pace of a client',
  'test/db/power-cut.test.ts': 'the moment of a power cut',
  'test/support/made-once.ts': 'another process of the tests',
  'test/support/relay.ts': 'a slow network',
  'test/support/s3rver.ts': 'a slow bucket',
  'test/support/until.ts': 'the pause between two looks',
}

test('tests wait for what happens, not for a time, except for what takes time by itself', () => {
  const files = [...new Bun.Glob('test/**/*.ts').scanSync(root)].filter((file) =>
    /\bBun\.sleep\(|\bsetTimeout\(|waitForTimeout\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(files.toSorted()).toEqual(Object.keys(takesTime))
})
