import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createInvitation } from '../../src/accounts/account/invitation'
import { createLink } from '../../src/accounts/sign-in/one-time-link'
import { createInstance } from '../support/instance'
import { registerClient } from '../support/oauth'
import { createMember, createVisitor, type Page, type Visitor } from '../support/visitor'

const kiroku = await createInstance({ config: { registration: 'open' } })
const { deps } = kiroku
afterAll(kiroku.close)

const visitors: Record<string, Visitor> = {}
let invitation = ''
let setup = ''
let application = ''
beforeAll(async () => {
  setup = await deps.write((tx) => createLink(tx, deps, { purpose: 'setup' }))
  const made = { createdBy: 4, uses: 3, expiresIn: undefined, note: '' }
  invitation = (await createInvitation(deps, made)).code
  application = `/oauth/applications/${(await registerClient(kiroku)).id}/edit`
  visitors.nobody = createVisitor(kiroku)
  visitors.japanese = createVisitor(kiroku, { language: 'ja' })
  visitors.azusa = await createMember(kiroku, 'azusa')
})

/** The problem of each field, as shown on the page. */
const problemsIn = ({ text }: Page) =>
  Object.fromEntries(
    [...text.matchAll(/<p class="problem" id="([a-z_]+)-problem">([^<]*)<\/p>/g)].map(
      ([, name = '', problem]) => [name, problem],
    ),
  )

/** The inputs that a page marks as wrong, and the one that has the focus. */
const marked = ({ text }: Page, attribute: string) =>
  [...text.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(attribute))
    .map((tag) => /name="([^"]*)"/.exec(tag)?.[1])

const account = { username: 'a b', email: 'nowhere', password: 'short' }
const uris = 'https://a;b/cb\nftp://x\nmyapp://cb'
const forms: readonly (readonly [string, string, () => string, Record<string, string>])[] = [
  ['a sign-up', 'nobody', () => '/sign_up', account],
  ['an invitation', 'nobody', () => `/invitations/${invitation}`, account],
  ['the set-up', 'nobody', () => `/setup/${setup}`, account],
  [
    'a profile',
    'azusa',
    () => '/settings/profile',
    { name: '\u202e', description: 'x'.repeat(501), url: 'x' },
  ],
  ['a token', 'azusa', () => '/settings/tokens', { description: ' ', scope: 'all', expires_in: '8d' }],
  [
    'a new application',
    'azusa',
    () => '/oauth/applications/new',
    { name: 'kiroku', redirect_uri: uris, scopes: 'x' },
  ],
  ['an application', 'azusa', () => application, { name: '\u200b', redirect_uri: uris, scopes: 'x' }],
]

describe('a form reports all wrong fields at once', () => {
  test.each(forms)('%s', async (_, who, target, values) => {
    const page = await visitors[who]?.submit(target(), values)
    if (page === undefined) throw new Error('nobody')
    expect(page.status).toBe(422)
    const names = Object.keys(values)
    expect(Object.keys(problemsIn(page)).sort()).toEqual([...names].sort())
    expect(marked(page, 'aria-invalid="true"')).toEqual(expect.arrayContaining(names))
    expect(marked(page, 'autofocus')).toEqual([names[0]])
    for (const name of names) {
      expect(page.text).toContain(`<a href="#${name}">`)
      expect(page.text).toMatch(new RegExp(`aria-describedby="[^"]*\\b${name}-problem"`))
    }
  })

  test("in a list that gives the field's name once", async () => {
    for (const who of ['japanese', 'nobody']) {
      const { text } = (await visitors[who]?.submit(`/setup/${setup}`, account)) ?? { text: '' }
      const [line = ''] = /<li><a href="#username">.*<\/li>/.exec(text) ?? []
      expect(line.match(/ユーザー名|username/gi)).toHaveLength(2)
    }
  })

  test('and for every redirect URI', async () => {
    const page = await visitors.azusa?.submit('/oauth/applications/new', { name: 'A', redirect_uri: uris })
    const problem = (page && problemsIn(page).redirect_uri) ?? ''
    for (const at of [1, 2, 3]) expect(problem).toContain(`edirect URI ${at} must`)
  })

  test("a password too similar to its owner's name is reported with the rest", async () => {
    const values = { username: 'yamanaka_sawako', email: 'x', password: 'yamanaka_sawako1' }
    const page = await createVisitor(kiroku).submit('/sign_up', values)
    expect(Object.keys(problemsIn(page)).sort()).toEqual(['email', 'password'])
  })
})

test('each message is a sentence with a capital letter and a full stop', async () => {
  for (const [, who, target, values] of forms) {
    const page = await visitors[who]?.submit(target(), values)
    for (const problem of Object.values(page ? problemsIn(page) : {}))
      expect(problem).toMatch(/^[A-Z].*[.?!]$/)
    for (const [, item = ''] of (page?.text ?? '').matchAll(
      /<li><a href="#[a-z_]+">[^<]*<\/a>: ([^<]*)<\/li>/g,
    ))
      expect(item).toMatch(/^[A-Z].*[.?!]$/)
  }
  const page = await visitors.japanese?.submit('/sign_up', account)
  for (const problem of Object.values(page ? problemsIn(page) : {})) expect(problem).toMatch(/。$/)
})

test('a browser does not stop at the first wrong field, with its own message', async () => {
  const { text } = await createVisitor(kiroku).open('/sign_up')
  expect(text).toMatch(/<form method="post" action="\/sign_up" novalidate>/)
})

test('a form refused as a whole focuses its message', async () => {
  const page = await createVisitor(kiroku).submit('/sign_in', { username: 'mio', password: 'wrong' })
  expect([page.status, marked(page, 'autofocus')]).toEqual([422, []])
  expect(page.text).toMatch(/<div class="problems" role="alert" tabindex="-1" autofocus>/)
})
