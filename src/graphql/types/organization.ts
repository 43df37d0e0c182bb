import { organization as restOrganization } from '../../catalogue/organizations'
import { isShown } from '../../catalogue/shown'
import { annictId, fieldsOf } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restOrganization)

export const organization = defineType('Organization', {
  table: 'organizations',
  isShown: () => isShown('organizations'),
  merges: 'organizations',
  fields: {
    annictId,
    favoriteOrganizationsCount: field('Int!', 'favorite_organizations_count'),
    name: field('String!', 'name'),
    nameEn: field('String!', 'name_en'),
    nameKana: field('String!', 'name_kana'),
    staffsCount: field('Int!', 'staffs_count'),
    twitterUsername: field('String', 'twitter_username'),
    twitterUsernameEn: field('String!', 'twitter_username_en'),
    url: field('String', 'url'),
    urlEn: field('String!', 'url_en'),
    wikipediaUrl: field('String', 'wikipedia_url'),
    wikipediaUrlEn: field('String!', 'wikipedia_url_en'),
  },
})
