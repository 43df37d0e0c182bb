import Type from 'typebox'
import { text } from '../api/schema'

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

/** Sizes are unknown: the first image is recommended unless a source chose one (D24). */
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
