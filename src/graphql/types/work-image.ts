import { imageColumns, presentImages } from '../../catalogue/images'
import type { Config } from '../../config'
import type { Field } from '../declare/field'
import { columnsOf, constant } from '../declare/fields'
import { defineType } from '../declare/type'
import { isMet } from './work'

type Images = ReturnType<typeof presentImages>

const columns = columnsOf({ columns: imageColumns })

const url = (pick: (images: Images) => string): Field => ({
  type: 'String',
  columns,
  resolve: (row, _, { config }) => pick(imagesOf(row, config)) || null,
})

const imagesOf = (row: object, config: Config): Images => presentImages(row as never, config)

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
    recommendedImageUrl: url(({ recommended_url }) => recommended_url),
    twitterAvatarUrl: url(({ twitter }) => twitter.original_avatar_url),
    twitterBiggerAvatarUrl: url(({ twitter }) => twitter.bigger_avatar_url),
    twitterMiniAvatarUrl: url(({ twitter }) => twitter.mini_avatar_url),
    twitterNormalAvatarUrl: url(({ twitter }) => twitter.normal_avatar_url),
    work: { type: 'Work', resolve: ({ id }, _, { rows }) => rows.load('Work', id) },
  },
})
