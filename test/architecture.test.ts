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
