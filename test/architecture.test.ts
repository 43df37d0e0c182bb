import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const named = new Set(text.match(/\b(?:src|test|scripts|db)\/[\w./-]*\w/g))

test('every path that docs/architecture.md names is there', () => {
  expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('docs/architecture.md names every folder and file at the top of src', () => {
  const rooms = readdirSync(join(root, 'src')).map((name) => `src/${name}`)
  expect(rooms.filter((room) => !named.has(room))).toEqual([])
})
