import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messagesIn } from '../../src/messages/languages'
import { howOften, sourceText } from '../../src/site/catalogue/source-text'
import { allSources } from '../../src/sources/all'
import { createInstance } from '../support/instance'
import { createVisitor } from '../support/visitor'

const document = readFileSync(join(import.meta.dir, '../../docs/sources.md'), 'utf8')
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** Name, hosts and interval, by row. */
const rows = document
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', hosts = '', often = '']) => ({ name: codes(name)[0], hosts: codes(hosts), often }))

describe('outside contacts', () => {
  test('are documented in docs/sources.md: each source, its hosts and how often they are contacted', () => {
    const declared = allSources.map((source) => ({
      name: source.name,
      hosts: source.hosts,
      often: howOften(messagesIn('en'), source).toLowerCase(),
    }))
    const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
      String(one.name).localeCompare(String(other.name))
    expect(rows.toSorted(byName)).toEqual(declared.toSorted(byName) as typeof rows)
  })

  test.each(['en', 'ja'] as const)('is told by /about/data in %s, to visitors', async (language) => {
    await using kiroku = await createInstance().then((instance) => ({
      ...instance,
      [Symbol.asyncDispose]: instance.close,
    }))
    const { text } = await createVisitor(kiroku, { language }).open('/about/data')
    const contacts = text.slice(text.indexOf('id="contacts"'))
    const hosts = [...contacts.matchAll(/<code>([^<]+)<\/code>/g)].map(([, host = '']) => host)
    expect(hosts).toEqual(allSources.flatMap((source) => source.hosts))
    for (const source of allSources) expect(contacts).toContain(`>${source.title}</a>`)
  })
})

describe.each(['en', 'ja'] as const)('in %s', (language) => {
  test.each(allSources.map((source) => [source.name, source] as const))('%s is told about', (_, source) => {
    expect(Object.values(sourceText(messagesIn(language), source)).filter((text) => text === '')).toEqual([])
  })
})

test('NOTICE names each source whose data may belong to others', () => {
  const notice = readFileSync(join(import.meta.dir, '../../NOTICE'), 'utf8')
  const others = allSources.filter(({ name }) => name !== 'kiroku')
  expect(others.filter(({ home }) => !notice.includes(home))).toEqual([])
})
