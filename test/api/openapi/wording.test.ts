import { afterAll, expect, test } from 'bun:test'
import { routes } from '../../../src/app'
import { createInstance, targetOf } from '../../support/instance'
import { seedExamples } from '../../support/seed-library'
import { createMember } from '../../support/visitor'

const kiroku = await createInstance({ seed: seedExamples })
afterAll(kiroku.close)

/** How this project numbers its decisions and cites sections, which only contributors know. */
const internal = /\bD\d{1,2}\b|§/g

/** The text of a page, without its markup. */
const shown = (html: string) => html.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')

test('the texts of /openapi.json make sense to people who do not know how the project numbers its decisions', async () => {
  const text = await (await kiroku.ask('/openapi.json')).text()
  expect('Only records with a comment (D18), as of RFC 6749 §4'.match(internal)).toEqual(['D18', '§'])
  expect(text.match(internal)).toBeNull()
})

test('and so do those of every page', async () => {
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'mio').execute(),
  )
  const member = await createMember(kiroku, 'mio')
  const pages = routes.filter(({ method }) => method === 'GET').map(({ path }) => targetOf(path))
  for (const target of ['/docs', ...pages]) {
    const { text } = await member.open(target)
    expect([target, shown(text).match(internal)]).toEqual([target, null])
  }
})
