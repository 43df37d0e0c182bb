import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileProblems } from '../../src/transfer/file/refused-file'
import { sources } from '../../src/transfer/sources'

const docs = join(import.meta.dir, '../../docs')
const pages = readdirSync(join(docs, 'import')).sort()
const index = readFileSync(join(docs, 'importing.md'), 'utf8')

test('every source has a page, and every page a source', () => {
  expect(pages).toEqual(sources.map((source) => `${source}.md`).sort())
})

test('docs/importing.md lists every source and every error code of a bad file', () => {
  expect(sources.filter((source) => !index.includes(`(import/${source}.md), source \`${source}\``))).toEqual(
    [],
  )
  expect(fileProblems.filter((problem) => !index.includes(`\`${problem}\``))).toEqual([])
})

test.each(pages)('a page says where to get the file, what is imported and what is not: %s', (name) => {
  const text = readFileSync(join(docs, 'import', name), 'utf8')
  expect(text).toContain(`ource \`${name.replace('.md', '')}\``)
  for (const part of ['Where to get the file', 'What comes over', 'What does not'])
    expect(text).toContain(`\n## ${part}\n\n`)
})

test.each(['importing.md', ...pages.map((name) => `import/${name}`)])(
  'its links lead somewhere: %s',
  (name) => {
    const text = readFileSync(join(docs, name), 'utf8')
    const links = [...text.matchAll(/\]\(([^):]+\.md)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((link) => !existsSync(join(docs, dirname(name), link)))).toEqual([])
  },
)
