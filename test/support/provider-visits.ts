import { afterEach, expect } from 'bun:test'
import type { Config } from '../../src/config'
import { createIdentityProvider, type IdentityProvider, providerAt } from './identity-provider'
import { createInstance, type Instance } from './instance'
import { createVisitor, type Page, type Visitor } from './visitor'

/** An instance with a provider, whose clocks are the same. */
export interface Household {
  readonly kiroku: Instance
  readonly home: IdentityProvider
  close(): Promise<void>
}

/** `others`: providers that nobody visits. */
export async function createHousehold(
  provider: Parameters<typeof providerAt>[1] = {},
  config: Partial<Config> = {},
  others: Config['providers'] = [],
): Promise<Household> {
  let now = Date.now
  const home = await createIdentityProvider({ now: () => now() })
  const providers = [providerAt(home, provider), ...others]
  const kiroku = await createInstance({ config: { providers, ...config } })
  now = () => kiroku.clock.now
  return {
    ...{ kiroku, home },
    close: async () => {
      await kiroku.close()
      await home.stop()
    },
  }
}

/** Follows the start to the provider and back; returns what the way back answers. */
export async function comeBack({ home }: Household, visitor: Visitor, started: Page): Promise<Page> {
  expect([started.status, started.location]).toEqual([
    303,
    expect.stringContaining(`${home.issuer}/authorize?`),
  ])
  const back = new URL(home.visit(started.location))
  return await visitor.open(back.pathname + back.search)
}

export const signInWith = async (household: Household, visitor: Visitor, query = ''): Promise<Page> =>
  await comeBack(household, visitor, await visitor.open(`/sign_in/with/home${query}`))

/** Which problem a page is about; '' if about none. */
export const problemOf = ({ text }: Page): string => /data-problem="([a-z]+)"/.exec(text)?.[1] ?? ''

const open: Household[] = []
/** Closes after each test what `opened` opened. */
export const useHouseholds = () =>
  afterEach(async () => {
    for (const household of open.splice(0)) await household.close()
  })

/** `person`: claims of whoever is signed in at the provider. */
export async function opened(
  provider: Parameters<typeof providerAt>[1],
  person: Record<string, unknown> = {},
  config: Partial<Config> = {},
) {
  const household = await createHousehold(provider, config)
  open.push(household)
  household.home.person = { sub: 'sub-1', ...person }
  const { kiroku, home } = household
  const account = (username: string) =>
    kiroku.deps.read
      .selectFrom('users')
      .leftJoin('identities', 'identities.user_id', 'users.id')
      .select(['username', 'email', 'email_key', 'password_hash', 'is_admin', 'invited_by', 'subject'])
      .where('username', '=', username)
      .executeTakeFirst()
  const visitor = createVisitor(kiroku)
  return {
    household,
    kiroku,
    home,
    account,
    visitor,
    come: (query = '') => signInWith(household, visitor, query),
  }
}
