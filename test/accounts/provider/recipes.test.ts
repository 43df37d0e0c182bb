import { expect, test } from 'bun:test'
import { providerAt } from '../../support/identity-provider'
import { createInstance } from '../../support/instance'
import { startOidcProvider } from '../../support/oidc-provider'
import { createVisitor } from '../../support/visitor'

/** As docs/installing.md describes them. */
const recipes = [
  {
    name: 'Authelia',
    habits: {
      path: '',
      inIdToken: false,
      claims: {
        groups: ['anime'],
        preferred_username: 'mio',
        email: 'mio@example.com',
        email_verified: true,
      },
    },
    settings: { groups: ['anime'] },
  },
  {
    name: 'Authentik',
    habits: {
      path: '/application/o/kiroku/',
      inIdToken: true,
      claims: {
        groups: ['anime'],
        preferred_username: 'mio',
        email: 'mio@example.com',
        email_verified: false,
      },
    },
    settings: { groups: ['anime'], scopes: ['openid', 'profile', 'email', 'groups'] },
  },
  {
    name: 'Keycloak',
    habits: {
      path: '/realms/home',
      inIdToken: true,
      claims: {
        realm_access: { roles: ['anime'] },
        preferred_username: 'mio',
        email: 'mio@example.com',
        email_verified: true,
      },
    },
    settings: { groups: ['anime'], groupsClaim: '/realm_access/roles' },
  },
  {
    name: 'Pocket ID',
    habits: {
      path: '',
      inIdToken: true,
      claims: {
        groups: ['anime'],
        preferred_username: 'mio',
        email: 'mio@example.com',
        email_verified: true,
      },
    },
    settings: { groups: ['anime'] },
  },
  {
    name: 'Google',
    habits: {
      path: '',
      inIdToken: true,
      claims: { name: 'Mio', email: 'mio@example.com', email_verified: true },
    },
    settings: {},
    shown: 'mio@example.com',
  },
] as const

test.each(recipes)(
  'somebody with an account at $name signs in with the recipe of docs/installing.md',
  async ({ habits, settings, ...more }) => {
    const back = 'http://localhost:3000/sign_in/with/home/back'
    const home = await startOidcProvider(habits, [back])
    const provider = providerAt(home, { signUp: true, ...settings })
    const kiroku = await createInstance({ config: { providers: [provider], registration: 'closed' } })
    // The other's clock is that of this machine.
    kiroku.clock.now = Date.now()
    const visitor = createVisitor(kiroku)
    const { location } = await visitor.open('/sign_in/with/home')
    const { pathname, search } = new URL(await throughPages(location, back))
    const page = await visitor.open(pathname + search)
    expect([page.location, kiroku.lines.filter(({ event }) => event === 'provider_refused')]).toEqual([
      '/sign_in/new',
      [],
    ])
    expect((await visitor.submit('/sign_in/new', { username: 'mio_home' })).location).toBe('/welcome')
    const made = await kiroku.deps.read
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['issuer', 'subject', 'identities.name'])
      .executeTakeFirst()
    expect(made).toEqual({
      issuer: home.issuer,
      subject: 'person-1',
      name: 'shown' in more ? more.shown : 'mio',
    })
    await kiroku.close()
    home.stop()
  },
)

/** What a browser does at the provider: signs in and agrees. Returns the address that it is sent back to. */
async function throughPages(start: string, back: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [url, body] = [start, undefined as string | undefined]
  for (let turns = 0; turns < 12; turns++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const text = await response.text()
    if (location?.startsWith(back)) return location
    if (location !== null) [url, body] = [new URL(location, url).href, undefined]
    else {
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? expect.unreachable(text)
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
      url = new URL(action, url).href
      body = prompt === 'login' ? 'prompt=login&login=person-1&password=x' : `prompt=${prompt}`
    }
  }
  throw new Error('no end')
}
