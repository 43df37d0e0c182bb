import type { presentImages } from '../../catalogue/images'
import { work } from '../../catalogue/works'
import type { GraphqlField } from '../declare/field'
import { constant, fieldsOf } from '../declare/fields'
import { defineType } from '../declare/type'
import { isMet } from './work'

type Images = ReturnType<typeof presentImages>

const field = fieldsOf(work)

const url = (pick: (images: Images) => string): GraphqlField =>
  field('String', 'images', (images: Images) => pick(images) || null)

/** Read from the row of its work and sharing its number. */
export const workImage = defineType('WorkImage', {
  table: 'works',
  isShown: () => isMet,
  merges: 'works',
  fields: {
    annictId: { type: 'Int', resolve: ({ id }) => id },
    copyright: constant('String', null),
    facebookOgImageUrl: url(({ facebook }) => facebook.og_image_url),
    internalUrl: { ...constant('String', null), args: { size: 'String!' } },
    // Clients read a blank text here as "show a placeholder" (D114).
    recommendedImageUrl: field('String', 'images', ({ recommended_url }: Images) => recommended_url),
    twitterAvatarUrl: url(({ twitter }) => twitter.original_avatar_url),
    twitterBiggerAvatarUrl: url(({ twitter }) => twitter.bigger_avatar_url),
    twitterMiniAvatarUrl: url(({ twitter }) => twitter.mini_avatar_url),
    twitterNormalAvatarUrl: url(({ twitter }) => twitter.normal_avatar_url),
    work: { type: 'Work', resolve: ({ id }, _, { rows }) => rows.load('Work', id) },
  },
})
