import { sql } from 'kysely'
import { type Bindable, preparedSql } from '../../db/prepared'
import type { RouteContext } from '../../http/route'
import { languages } from '../../messages/languages'
import { html } from '../../pages/html'
import type { PageRoute } from '../../web/page'
import { detailsOf } from '../activity/details'
import { pageOfEntries } from '../activity/stream'
import { type ActivityChannel, activityAtom, mostEntries } from './activity-atom'
import { answered } from './route'

/** Adds `/@NAME.atom` to the page of a person: what a public profile's person did, for everybody (people.md §6). */
export const withFeed = (profile: PageRoute): PageRoute => ({
  ...profile,
  answer: (visit) => {
    const [, name] = /^([A-Za-z0-9_]+)\.atom$/.exec(visit.params.username ?? '') ?? []
    return name === undefined ? profile.answer(visit) : personFeed(visit, name)
  },
})

/** The same for whoever asks: what visitors may see. */
async function personFeed({ deps, request }: RouteContext, name: string): Promise<Response> {
  const read = deps.readAs(0)
  const [person] = await publicPerson(read, { key: name.toLowerCase() })
  if (person === undefined || !deps.config.publicCatalogue) return notThere()
  const { entries } = await pageOfEntries(read, { person: person.id }, { before: newest, limit: mostEntries })
  const details = await detailsOf(read, entries, 0)
  const { baseUrl } = deps.config
  const body = activityAtom(channelOf(person, baseUrl), entries, { details, baseUrl })
  return answered(request, body, {
    'Content-Type': 'application/atom+xml; charset=utf-8',
    'Cache-Control': 'public, max-age=900',
    ...(person.indexable === 0 && { 'X-Robots-Tag': 'noindex' }),
  })
}

const newest = Number.MAX_SAFE_INTEGER

const notThere = () =>
  new Response('There is no such feed.\n', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })

export type PublicPerson = {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly language: string | null
  readonly indexable: number
  readonly created_at: number
} & Readonly<Record<string, Bindable>>

export const publicPerson = preparedSql<PublicPerson, { key: string }>(
  (slot) => sql`
  select id, username, iif(name = '', username, name) as name, language, indexable, created_at from users
  where username_key = ${slot('key')} and privacy = 'public' and disabled_at is null
    and not exists (select 1 from privacy_moves where user_id = users.id)
    and not exists (select 1 from deletions where user_id = users.id)`,
)

/** In the person's language, for whoever reads it. */
function channelOf(
  { id, username, name, language, created_at }: PublicPerson,
  baseUrl: string,
): ActivityChannel {
  const page = `${baseUrl}/@${username}`
  return {
    key: `user-${id}`,
    title: name,
    author: html`<name>${name}</name><uri>${page}</uri>`,
    self: `${page}.atom`,
    page,
    language: languages.find((one) => one === language) ?? 'ja',
    guardsSpoilers: false,
    begun: created_at,
  }
}
