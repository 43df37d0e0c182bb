import Type from 'typebox'
import { text } from '../api/schema'

/** Where a work's images are stored. */
export const imageColumns = [
  'og_image_url',
  'avatar_mini_url',
  'avatar_normal_url',
  'avatar_bigger_url',
  'avatar_original_url',
  'twitter_image_url',
  'recommended_url',
] as const

export const imagesSchema = Type.Object({
  facebook: Type.Object({ og_image_url: text("The official site's og:image") }),
  twitter: Type.Object({
    mini_avatar_url: text("The official account's avatar, mini"),
    normal_avatar_url: text("The official account's avatar, normal"),
    bigger_avatar_url: text("The official account's avatar, bigger"),
    original_avatar_url: text("The official account's avatar, full size"),
    image_url: text("The official site's twitter:image"),
  }),
  recommended_url: text('The largest of og_image_url, bigger_avatar_url and image_url'),
})

/** The stored URLs as they are; no size is known, so the first that exists is recommended unless a source chose (D24). */
export function presentImages(row: Readonly<Record<(typeof imageColumns)[number], string>>) {
  return {
    facebook: { og_image_url: row.og_image_url },
    twitter: {
      mini_avatar_url: row.avatar_mini_url,
      normal_avatar_url: row.avatar_normal_url,
      bigger_avatar_url: row.avatar_bigger_url,
      original_avatar_url: row.avatar_original_url,
      image_url: row.twitter_image_url,
    },
    recommended_url:
      row.recommended_url || row.og_image_url || row.avatar_bigger_url || row.twitter_image_url,
  }
}
