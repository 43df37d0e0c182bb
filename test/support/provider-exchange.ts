import { afterAll, beforeAll, beforeEach } from 'bun:test'
import {
  attemptSecrets,
  authorizationUrl,
  type ProtocolDeps,
  redeem,
  redirectUriOf,
} from '../../src/accounts/provider/protocol'
import { ProviderRefusal } from '../../src/accounts/provider/refusal'
import type { Provider } from '../../src/options/providers'
import { createIdentityProvider, type Faults, type IdentityProvider } from './identity-provider'
import { createOutside } from './web-site'

/** Two providers, the clock of all, and the other hosts. */
export const exchange = {
  home: undefined as unknown as IdentityProvider,
  other: undefined as unknown as IdentityProvider,
  clock: Date.now(),
  world: createOutside(),
}

/** Starts the providers; before each test they behave, and nobody has asked them anything. */
export function useProviders(): void {
  const now = () => exchange.clock
  beforeAll(async () => {
    exchange.home = await createIdentityProvider({ path: '/realms/home', now })
    exchange.other = await createIdentityProvider({ now })
  })
  beforeEach(() => {
    Object.assign(exchange.home, { faults: {}, person: { sub: 'sub-1' } })
    exchange.home.asked.length = 0
    Object.assign(exchange, { clock: Date.now(), world: createOutside() })
  })
  afterAll(() => Promise.all([exchange.home.stop(), exchange.other.stop()]))
}

export const depsNow = (): ProtocolDeps => ({
  outside: exchange.world.outside,
  steady: () => exchange.clock,
  now: () => exchange.clock,
})

export const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

export const redirectUri = redirectUriOf('http://localhost:3000/log', { id: 'home' })

/** Leaves for the provider; returns its answer and what redeems it. */
export async function leave(provider: Provider) {
  const secrets = attemptSecrets(random)
  const url = await authorizationUrl(depsNow(), provider, secrets, { redirectUri, asksAgain: false })
  return { secrets, answer: new URL(exchange.home.visit(url)).searchParams }
}

/** Leaves for the provider and comes back. */
export async function signIn(
  provider: Provider,
  { change = (_: URLSearchParams) => {}, faults = {} as Faults } = {},
) {
  Object.assign(exchange.home.faults, faults)
  const { secrets, answer } = await leave(provider)
  change(answer)
  return await redeem(depsNow(), provider, answer, { secrets, redirectUri })
}

export async function refusal(attempt: Promise<unknown>): Promise<ProviderRefusal> {
  const cause = await attempt.then(
    () => undefined,
    (cause) => cause,
  )
  if (!(cause instanceof ProviderRefusal)) throw new Error(`not refused, but ${cause}`)
  return cause
}

export const on =
  (path: string, answer: () => Response): NonNullable<Faults['respond']> =>
  (asked) =>
    asked === path ? answer() : undefined
