import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HtmlValidate, type ResolvedConfig, StaticConfigLoader } from 'html-validate'
import { routes } from '../../src/app'
import { createInstance, type Instance } from '../support/instance'
import { pageSamples } from '../support/page-samples'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { csrfIn } from '../support/works'

/** Computes the rules once: the validator would do so for each page, which takes as long as reading it. */
class SameRules extends StaticConfigLoader {
  #rules: Promise<ResolvedConfig> | ResolvedConfig | undefined
  override getConfigFor(handle: string): Promise<ResolvedConfig> | ResolvedConfig {
    this.#rules ??= super.getConfigFor(handle)
    return this.#rules
  }
}

const validator = new HtmlValidate(
  new SameRules({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    rules: {
      // Matters of style: a button submits its form, a search field submits with Enter.
      'no-implicit-button-type': 'off',
      'wcag/h32': 'off',
      'no-redundant-for': 'off',
      // Tables that a phone shows as blocks would lose their roles.
      'no-redundant-role': 'off',
    },
  }),
)

async function problemsIn(text: string): Promise<string[]> {
  const { results } = await validator.validateString(text)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))
}

let kiroku: Instance
let paths: readonly string[]
beforeAll(async () => {
  kiroku = await createInstance({ config: { registration: 'open' } })
  const samples = await pageSamples(kiroku)
  const pages = routes.filter(({ method, path }) => method === 'GET' && !path.includes('.'))
  paths = pages.map(({ path }) => samples[path] ?? path).filter((path) => !/[:.]|\/oauth\/token/.test(path))
})
afterAll(() => kiroku.close())

/** The problems, by page. */
async function problemsOf(reader: Visitor): Promise<{ seen: number; problems: Record<string, string[]> }> {
  const problems: Record<string, string[]> = {}
  let seen = 0
  for (const path of paths) {
    const { text } = await reader.open(path)
    if (!text.startsWith('<!doctype html>')) continue
    seen += 1
    const found = await problemsIn(text)
    if (found.length > 0) problems[path] = found
  }
  return { seen, problems }
}

test('the validator detects problems', async () => {
  const page = (main: string) =>
    `<!doctype html>\n<html lang="en"><head><title>A</title></head><body><main>${main}</main></body></html>`
  expect(await problemsIn(page('<ul><p>A</p></ul>'))).not.toEqual([])
  expect(await problemsIn(page('<p id="a">A</p><p id="a">B</p>'))).not.toEqual([])
  expect(await problemsIn(page('<a href="/" hidden hidden>A</a>'))).not.toEqual([])
})

test('every page is valid HTML, for a visitor', async () => {
  const { seen, problems } = await problemsOf(createVisitor(kiroku))
  expect(problems).toEqual({})
  expect(seen).toBeGreaterThan(15)
})

test('and for an administrator', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
  )
  const { seen, problems } = await problemsOf(azusa)
  expect(problems).toEqual({})
  expect(seen).toBeGreaterThan(50)
})

test('and so are a refused form, the response to an act, and a missing page', async () => {
  const mio = await createMember(kiroku, 'mio')
  const csrf = csrfIn((await mio.open('/works/3')).text)
  const refused = [
    await mio.post('/viewing', { csrf, work_id: '3', precision: 'date', watched_at: '2000s' }),
    await mio.post('/record', { csrf, episode_id: '2', precision: 'date', watched_at: 'x' }),
    await mio.post('/viewing', { csrf, work_id: '3', rating_state: 'superb' }),
    await mio.post('/status', { csrf, work_id: '3', kind: 'x' }),
    await mio.open('/works/99'),
    await mio.open('/nowhere'),
  ]
  for (const { status, text } of refused) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await problemsIn(text)).toEqual([])
  }
  await mio.post('/viewing', { csrf, work_id: '3', precision: 'none', return_to: '/works/3' })
  const { text } = await mio.open('/works/3')
  expect(text).toContain('name="act_id"')
  expect(await problemsIn(text)).toEqual([])
})

test('no page puts a space between two Japanese sentences', async () => {
  const azusa = await createMember(kiroku, 'azusa', { language: 'ja' })
  const spaced: Record<string, string[]> = {}
  for (const path of paths) {
    const { text } = await azusa.open(path)
    const found = text.match(/[^<>]{0,20}[。？！]\s+[^\s<\w·-][^<>]{0,20}/g) ?? []
    if (text.startsWith('<!doctype html>') && found.length > 0) spaced[path] = [...found]
  }
  expect(spaced).toEqual({})
})
