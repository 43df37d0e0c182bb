import fc from 'fast-check'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { ApiError } from '../../src/http/errors'
import { undo } from '../../src/library/acts/undo'
import { anyAct } from './any-act'
import { anyWrite, resolved } from './any-write'
import { bytesOf, header, textOf } from './catalogue-store'
import { output } from './in-process'
import { type Instance, types, withToken } from './instance'
import type { Directory } from './kiroku'
import { personOf } from './people'
import { createMember } from './visitor'

/** A change of what is in the database, by any way that there is. */
export type AnyChange = () => Promise<unknown>

const users = ['mio', 'Ritsu_T', 'azusa']
const text = fc.constantFrom('', '星', '"\\\n', '🍥')

/** Requests, queries, pages, acts, undoing them, imports, and the command line as another process. */
export async function anyChange(kiroku: Instance): Promise<fc.Arbitrary<AnyChange>> {
  const people = await Promise.all(users.map((name) => personOf(kiroku, name)))
  const member = await createMember(kiroku, 'mio')
  const { deps, store, token } = kiroku
  const named = (name: string, change: AnyChange): AnyChange =>
    Object.assign(change, { [fc.toStringMethod]: () => name })
  const refusable = (change: AnyChange) => async () => {
    await change().catch((cause) => {
      if (!(cause instanceof ApiError)) throw cause
    })
  }
  return fc.oneof(
    {
      weight: 6,
      arbitrary: anyWrite.map(([who, method, path, params]) =>
        named(`${who} ${method} ${path} ${JSON.stringify(params)}`, async () =>
          people[who]?.send(method, ...resolved(store.handle, path, params)),
        ),
      ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom(1, 2, 4),
          anyAct(() => store.handle),
        )
        .map(([user, act]) =>
          named(
            fc.stringify(act),
            refusable(() => act(deps, user)),
          ),
        ),
    },
    fc.nat(9).map((back) =>
      named(
        `undo ${back}`,
        refusable(() => undoLatest(kiroku, back)),
      ),
    ),
    fc.constantFrom('ON_HOLD', 'WATCHED', 'WANNA_WATCH').map((state) =>
      named(`GraphQL ${state}`, async () => {
        const query = `mutation { updateStatus(input: {workId: "${btoa('Work-2')}", state: ${state}}) { clientMutationId } }`
        const headers = { 'content-type': types.json }
        return kiroku.ask(
          '/graphql',
          withToken(token, { method: 'POST', headers, body: JSON.stringify({ query }) }),
        )
      }),
    ),
    text.map((name) =>
      named(`page ${name}`, async () => member.submit('/settings/profile', { name: `m${name}` })),
    ),
    text.map((title) =>
      named(`import ${title}`, async () => {
        const lines = [{ type: 'work', key: 'annict:1', title: `星降る庭${title}` }]
        return importCatalogue(store, bytesOf(textOf(header('annict'), lines)), { now: deps.now() })
      }),
    ),
    fc.constantFrom('disable', 'enable').map((change) =>
      named(`user ${change}`, async () =>
        // It ends with a status of its own if the account is disabled already.
        output(directoryOf(kiroku), ['user', change, 'azusa', '--data', '.']).catch(() => {}),
      ),
    ),
  )
}

async function undoLatest({ deps, store }: Instance, back: number): Promise<void> {
  const [act] = store.handle
    .query<{ id: number; user_id: number }, [number]>(
      'select id, user_id from acts where undone_at is null order by id desc limit 1 offset ?',
    )
    .all(back)
  if (act !== undefined) await undo(deps, act.user_id, { actId: act.id })
}

/** Where commands run that use the instance's data directory. */
const directoryOf = ({ deps }: Instance): Directory => ({
  path: deps.config.data,
  file: (name) => name,
  [Symbol.dispose]: () => {},
})
