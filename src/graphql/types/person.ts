import { person as restPerson } from '../../catalogue/people'
import { isShown } from '../../catalogue/shown'
import { annictId, fieldsOf, one, ref } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restPerson)

export const person = defineType('Person', {
  table: 'people',
  isShown: () => isShown('people'),
  merges: 'people',
  fields: {
    annictId,
    birthday: field('String', 'birthday'),
    bloodType: field('String', 'blood_type'),
    castsCount: field('Int!', 'casts_count'),
    favoritePeopleCount: field('Int!', 'favorite_people_count'),
    genderText: field('String', 'gender_text'),
    height: field('String', 'height', (height: number | null) => (height === null ? null : String(height))),
    name: field('String!', 'name'),
    nameEn: field('String!', 'name_en'),
    nameKana: field('String!', 'name_kana'),
    nickname: field('String', 'nickname'),
    nicknameEn: field('String!', 'nickname_en'),
    prefecture: one('Prefecture', 'prefecture', ref('people.prefecture_id')),
    staffsCount: field('Int!', 'staffs_count'),
    twitterUsername: field('String', 'twitter_username'),
    twitterUsernameEn: field('String!', 'twitter_username_en'),
    url: field('String', 'url'),
    urlEn: field('String!', 'url_en'),
    wikipediaUrl: field('String', 'wikipedia_url'),
    wikipediaUrlEn: field('String!', 'wikipedia_url_en'),
  },
})
