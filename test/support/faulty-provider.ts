import { afterAll, beforeAll, beforeEach } from 'bun:test'
import { connectIdentity } from '../../src/accounts/provider/identity'
import { createIdentityProvider, type Faults, providerAt } from './identity-provider'
import { createInstance } from './instance'
import { createMember, createVisitor, type Page, type Visitor } from './visitor'

/** How far the provider's clock is ahead, in milliseconds. */
let ahead = 0
export const home = await createIdentityProvider({ now: (): number => kiroku.clock.now + ahead })
const named = (id: string, more: Parameters<typeof providerAt>[1] = {}) => providerAt(home, { id, ...more })
/** Each has metadata of its own, so that what one of them is told does not spare the next its question. */
const fresh = ['neighbour', 'namesake', 'page', 'moved'].map((id) => named(id))
const providers = [
  ...[named('home'), named('club', { groups: ['anime'] }), named('by-email', { linkByEmail: true })],
  ...fresh,
]
export const kiroku = await createInstance({ config: { providers } })
export const mio = { sub: 'sub-mio', preferred_username: 'mio_at_home', email: 'mio@example.com' }

/** Before each test the provider behaves, and its keys may be read again. */
export function useFaultyProvider(): void {
  beforeAll(async () => {
    const { id } = await kiroku.deps.read
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'mio')
      .executeTakeFirstOrThrow()
    const person = { issuer: home.issuer, subject: mio.sub, name: '' }
    await kiroku.deps.write((tx) => connectIdentity(tx, id, person, kiroku.clock.now))
  })
  beforeEach(() => {
    Object.assign(home, { faults: {}, person: { ...mio } })
    ahead = 0
    kiroku.clock.now += 11_000
    kiroku.lines.length = 0
  })
  afterAll(async () => {
    await kiroku.close()
    await home.stop()
  })
}

/** Where a browser that leaves for the provider is sent back to. */
export const sentBack = async (visitor: Visitor, id = 'home') =>
  new URL(home.visit((await visitor.open(`/sign_in/with/${id}`)).location))

export const comeBack = async (visitor: Visitor, { pathname, search }: URL) =>
  await visitor.open(pathname + search)

export const visit = async (visitor: Visitor, id = 'home') =>
  await comeBack(visitor, await sentBack(visitor, id))

/** The provider, or what is between, does something else than it should. */
export const said = (faults: Faults) => async (visitor: Visitor) => {
  home.faults = faults
  return await visit(visitor)
}
export const claimed = (change: object) => said({ claims: (all) => ({ ...all, ...change }) })
export const answered = (change: (params: URLSearchParams) => void) => said({ answer: change })
export const discovered = (id: string, change: object) => async (visitor: Visitor) => {
  home.faults = { metadata: (all) => ({ ...all, ...change }) }
  return await visitor.open(`/sign_in/with/${id}`)
}
/** The provider's clock is that far ahead. */
export const atClock = (ms: number) => async (visitor: Visitor) => {
  ahead = ms
  return await visit(visitor)
}
export const someone = (person: object, id?: string) => async (visitor: Visitor) => {
  home.person = { sub: 'sub-stranger', ...person }
  return await visit(visitor, id)
}
export const unsigned = (text: string) => text.replace(/[^.]*$/, '')
export const inSeconds = (ms: number) => Math.floor((kiroku.clock.now + ms) / 1000)

/** What is no JSON. */
export const html = () => new Response('<p>', { headers: { 'content-type': 'text/html' } })
export const redirect = () =>
  new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:9/' } })

/** Signs in, out, and comes with the same answer again. */
export async function replayed(visitor: Visitor): Promise<Page> {
  const back = await sentBack(visitor)
  await comeBack(visitor, back)
  await visitor.submit('/settings', {}, '/sign_out')
  return await comeBack(visitor, back)
}

/** Keys are believed for an hour. */
export async function withdrawn(visitor: Visitor): Promise<Page> {
  kiroku.clock.now += 3_600_000
  return await said({ keys: () => [] })(visitor)
}

export async function late(visitor: Visitor): Promise<Page> {
  const back = await sentBack(visitor)
  kiroku.clock.now += 600_000
  return await comeBack(visitor, back)
}

export async function injected(visitor: Visitor): Promise<Page> {
  const stolen = (await sentBack(createVisitor(kiroku))).searchParams.get('code') ?? ''
  return await answered((params) => params.set('code', stolen))(visitor)
}

export async function mixedUp(visitor: Visitor): Promise<Page> {
  const { search } = await sentBack(visitor)
  return await visitor.open(`/sign_in/with/club/back${search}`)
}

/** By a member with a session, who answers at the provider with these claims. */
export function confirmed(claims: object) {
  return async (visitor: Visitor) => {
    await visit(visitor)
    const left = await visitor.submit('/confirm', {}, '/confirm/with/home')
    home.faults = { claims: (all) => ({ ...all, ...claims }), userinfo: (all) => ({ ...all, ...claims }) }
    return await comeBack(visitor, new URL(home.visit(left.location)))
  }
}

export async function connected(visitor: Visitor): Promise<Page> {
  const azusa = await createMember(kiroku, 'azusa')
  for (const [name, value] of azusa.cookies) visitor.cookies.set(name, value)
  const left = await visitor.submit('/settings/providers', {}, '/settings/providers/home/connect')
  return await comeBack(visitor, new URL(home.visit(left.location)))
}
