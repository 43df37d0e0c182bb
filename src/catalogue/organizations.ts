import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { defineResource } from '../api/resource'
import { integer, text } from '../api/schema'
import { byId, byIds, byName, byQuery } from './filters'
import { shown } from './shown'

export const organization = defineResource('Organization', 'organizations', () => ({
  id: integer('Organization id', 81),
  name: text('Name', 'マッドハウス'),
  name_kana: text("The name's reading", 'まっどはうす'),
  name_en: text('English name', 'Madhouse'),
  url: text('Official site', 'https://www.madhouse.co.jp/'),
  url_en: text('Official site, in English'),
  wikipedia_url: text('Wikipedia page'),
  wikipedia_url_en: text('Wikipedia page, in English'),
  twitter_username: text('Account'),
  twitter_username_en: text('Account, in English'),
  favorite_organizations_count: integer('Users who have this as a favorite'),
  staffs_count: integer('Works in which the organization is staff', 5),
}))

export const organizations = defineList({
  path: '/v1/organizations',
  tag: 'Catalogue',
  summary: 'Organizations: studios and others',
  key: 'organizations',
  item: defineItem('organizations', organization),
  rows: shown('organizations'),
  filters: {
    filter_ids: byIds('organizations'),
    filter_name: byName('organizations'),
    filter_query: byQuery('organizations', 'names', 'マッドハウス'),
  },
  sorts: { sort_id: byId },
})
