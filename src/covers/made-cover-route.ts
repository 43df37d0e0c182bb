import { sql } from 'kysely'
import { coverVersion, imagePath, sharedCover } from '../catalogue/cover-path'
import { survivor } from '../catalogue/survivors'
import type { Read } from '../db/open'
import { prepared, type SlotOf } from '../db/prepared'
import { notFound } from '../http/errors'
import type { Route } from '../http/route'
import { basePathOf } from '../lib/base-path'
import { madeCover, markStyle } from './made/made-cover'

/**
 * Needs no session, being the same for everybody. A merged work has the survivor's cover (D67). If the
 * catalogue is not public, the version is the key: only pages and the API reveal it.
 */
export const madeCoverRoute: Route = {
  method: 'GET',
  path: '/covers/:file',
  answer: async ({ deps, request, params }) => {
    const [, id] = /^([1-9][0-9]{0,14})\.svg$/.exec(params.file ?? '') ?? []
    const [work] = id === undefined ? [] : await shownWork(deps.read, { id: Number(id) })
    if (work === undefined) throw notFound('The cover')
    const version = coverVersion(work)
    const { cover_hash: better } = work
    const isCurrent = new RegExp(`[?&]v=${version}(?:&|$)`).test(request.url)
    if (!isCurrent && !deps.config.publicCatalogue) throw notFound('The cover')
    if (!isCurrent && better !== null) return toImage(deps.config.baseUrl, better)
    const headers = { ...svgHeaders, ETag: `"${version}"`, 'Cache-Control': isCurrent ? forEver : forAWhile }
    if (request.headers.get('if-none-match')?.includes(`"${version}"`))
      return new Response(null, { status: 304, headers })
    const { title, media, season_year: seasonYear, season } = work
    return new Response(madeCover({ title, media, seasonYear, season }), { headers })
  },
}

/** A request without a version wants the work's current cover, whichever it is. */
const toImage = (baseUrl: string, hash: string) =>
  new Response(null, {
    status: 302,
    headers: { Location: basePathOf(baseUrl) + imagePath(hash, 320), 'Cache-Control': forAWhile },
  })

const shownWork = prepared((read: Read, slot: SlotOf<{ id: number }>) =>
  read
    .selectFrom('works')
    .select(['title', 'media', 'season_year', 'season'])
    .select(sharedCover.as('cover_hash'))
    .where('id', '=', survivor('works', slot('id')))
    .where(sql.ref<number>('hidden'), '=', 0),
)

export const forEver = 'public, max-age=31536000, immutable'

const forAWhile = 'public, max-age=300'

const styleHash = new Bun.CryptoHasher('sha256').update(markStyle).digest('base64')

const svgHeaders = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
}
