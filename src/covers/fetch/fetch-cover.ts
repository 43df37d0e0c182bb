import { sql } from 'kysely'
import type { Deps } from '../../deps'
import { FetchRefused } from '../../fetching/refused'
import type { Validators } from '../../fetching/validators'
import { encode, PictureRefused, PicturesBusy } from '../images/encode'
import { keepPicture } from '../images/store'
import type { Fetcher } from './fetcher'

export type FetchTools = Pick<Deps, 'read' | 'write' | 'config' | 'now' | 'wallClock' | 'log'>

/** Fetches the cover of the next work from its official site. False if no work is due. */
export async function fetchNextCover(deps: FetchTools, fetcher: Fetcher): Promise<boolean> {
  const work = await nextWork(deps)
  if (work === undefined) return false
  const outcome = await fetchCover(deps, fetcher, work).catch(reasonOf)
  if (outcome === 'stopping') return true
  await noteOutcome(deps, work.id, outcome)
  deps.log('cover_fetched', { work: work.id, outcome })
  return true
}

const pause = 30 * 86_400_000

/** The newest work that somebody here watches, whose site was not visited for 30 days and which has no uploaded cover. */
async function nextWork({ read, now }: FetchTools): Promise<{ id: number; site: string } | undefined> {
  return await read
    .selectFrom('works')
    .select(['id', 'official_site_url as site'])
    .where('hidden', '=', 0)
    .where('watchers_count', '>', 0) // uses works_watchers
    .where('official_site_url', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cover_fetches')
            .select('work_id')
            .whereRef('work_id', '=', 'works.id')
            .where('asked_at', '>', now() - pause),
        ),
      ),
    )
    .where(sql<boolean>`not exists (
      select 1 from images where work_id = works.id and ifnull(user_id, 0) = 0 and origin = 'upload')`)
    .orderBy('season_rank', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function fetchCover(
  deps: FetchTools,
  fetcher: Fetcher,
  work: { id: number; site: string },
): Promise<string> {
  const page = await fetcher.get(work.site, {
    types: ['text/html', 'application/xhtml+xml'],
    maxBytes: 1024 * 1024,
    known: await validatorsOf(deps, work),
  })
  if (page === undefined) return 'unchanged'
  const address = await findOgImage(page.bytes, page.url)
  if (address === undefined) return 'no picture named'
  const picture = await fetcher.get(address, { types: pictureTypes, maxBytes: 5 * 1024 * 1024 })
  if (picture === undefined) return 'unchanged'
  const encoded = await encode(picture.bytes, 'cover')
  await keepPicture(deps, { kind: 'cover', workId: work.id, userId: null }, 'fetch', encoded)
  await keepValidators(deps, work.site, page)
  return 'kept'
}

/** The absolute URL of a page's Open Graph image; undefined if it has none. */
export async function findOgImage(
  html: Uint8Array<ArrayBuffer>,
  pageUrl: string,
): Promise<string | undefined> {
  let found: string | undefined
  const element = (meta: { getAttribute(name: string): string | null }) => {
    found ??= meta.getAttribute('content')?.trim() || undefined
  }
  const names = ['og:image', 'og:image:url', 'og:image:secure_url']
  const selector = names.flatMap((name) => [`meta[property="${name}"]`, `meta[name="${name}"]`]).join(', ')
  await new HTMLRewriter().on(selector, { element }).transform(new Response(html)).arrayBuffer()
  if (found === undefined) return undefined
  return URL.parse(found.replaceAll('&amp;', '&'), pageUrl)?.href
}

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

function reasonOf(cause: unknown): string {
  if (cause instanceof FetchRefused) return cause.why
  if (cause instanceof PictureRefused) return cause.problem
  if (cause instanceof PicturesBusy) return 'busy'
  return String(cause)
}

/** The page's validators, if there is a picture to keep in case the page has not changed. */
async function validatorsOf({ read }: FetchTools, work: { id: number; site: string }) {
  return await read
    .selectFrom('fetched_documents')
    .select(['etag', 'last_modified as lastModified'])
    .where('url', '=', work.site)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('images').select('id').where('work_id', '=', work.id).where('origin', '=', 'fetch')),
    )
    .executeTakeFirst()
}

/** Called only once the picture is stored: until then the page must be read again. */
async function keepValidators({ write, now }: FetchTools, url: string, { etag, lastModified }: Validators) {
  const row = { url, etag, last_modified: lastModified, fetched_at: now() }
  await write((tx) =>
    tx
      .insertInto('fetched_documents')
      .values(row)
      .onConflict((conflict) => conflict.doUpdateSet(row))
      .execute(),
  )
}

async function noteOutcome({ write, now }: FetchTools, workId: number, outcome: string): Promise<void> {
  const row = { work_id: workId, asked_at: now(), outcome }
  await write((tx) =>
    tx
      .insertInto('cover_fetches')
      .values(row)
      .onConflict((conflict) => conflict.doUpdateSet(row))
      .execute(),
  )
}
