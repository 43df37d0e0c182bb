import { type Expression, sql } from 'kysely'
import Type from 'typebox'
import { text } from '../api/schema'
import { type CoverWork, imagePath, madeCoverPath, sharedCover } from './cover-path'

const storedUrls = [
  'og_image_url',
  'avatar_mini_url',
  'avatar_normal_url',
  'avatar_bigger_url',
  'avatar_original_url',
  'twitter_image_url',
  'recommended_url',
] as const

const shownByCover = ['id', 'title', 'media', 'season_year', 'season'] as const

export const imageColumns = new Map<string, Expression<unknown>>([
  ...[...storedUrls, ...shownByCover].map((name) => [name, sql.ref(`works.${name}`)] as const),
  ['cover_hash', sharedCover],
])

export const imagesSchema = Type.Object({
  facebook: Type.Object({ og_image_url: text("The official site's og:image") }),
  twitter: Type.Object({
    mini_avatar_url: text("The official account's avatar, mini"),
    normal_avatar_url: text("The official account's avatar, normal"),
    bigger_avatar_url: text("The official account's avatar, bigger"),
    original_avatar_url: text("The official account's avatar, full size"),
    image_url: text("The official site's twitter:image"),
  }),
  recommended_url: text(
    'The best picture, never a drawing (SVG): the uploaded or fetched cover of this instance, otherwise the largest of og_image_url, bigger_avatar_url and image_url',
  ),
  cover_url: text(
    'Extension: the cover on this instance, never blank: an uploaded or fetched picture (WebP), otherwise one generated from the title (SVG)',
    'https://kiroku.example/covers/10079.svg?v=1x2y3z',
  ),
})

type ImageRow = Readonly<Record<(typeof storedUrls)[number], string>> &
  CoverWork & { readonly cover_hash: string | null }

/** Sizes are unknown, so the first image is recommended unless a source chose one (D24, D114). */
export function presentImages(row: ImageRow, { baseUrl }: { readonly baseUrl: string }) {
  const known = [row.recommended_url, row.og_image_url, row.avatar_bigger_url, row.twitter_image_url]
  return {
    facebook: { og_image_url: row.og_image_url },
    twitter: {
      mini_avatar_url: row.avatar_mini_url,
      normal_avatar_url: row.avatar_normal_url,
      bigger_avatar_url: row.avatar_bigger_url,
      original_avatar_url: row.avatar_original_url,
      image_url: row.twitter_image_url,
    },
    recommended_url: row.cover_hash ? coverUrl(row, baseUrl) : (known.find(isRaster) ?? ''),
    cover_url: coverUrl(row, baseUrl),
  }
}

const coverUrl = (row: ImageRow, baseUrl: string) =>
  baseUrl + (row.cover_hash ? imagePath(row.cover_hash, 640) : madeCoverPath(row))

/** Clients' image loaders cannot show drawings, where they have a placeholder for a blank address. */
const isRaster = (url: string) => url !== '' && !/\.svgz?(?:[?#]|$)/i.test(url)
