import { wholeNumber } from '../../../values/number'
import { oneOf } from '../../../values/text'
import { orBlank } from '../../../values/value'
import { isRecorded, isUntouched } from '../../estimate/drop-estimates'
import { genderLabels, mediaLabels, roleLabels } from '../../labels'
import { mostMinutes } from '../../minutes'
import {
  bit,
  dayOrBlank,
  episodeNumber,
  instant,
  interval,
  lineText,
  lineTextUpTo,
  prefecture,
  seasonWord,
  seasonYear,
  webUrl,
} from './cells'
import {
  count,
  type Field,
  figure,
  idColumn,
  type Kind,
  type KindName,
  needed,
  reference,
  words,
} from './field'

const order = count('sort_number', wholeNumber(-1_000_000_000, 1_000_000_000))
const english = (name: string, value = lineText) => [words(name, value), words(`${name}_en`, value)]
const image = (name: string): Field => words(name, webUrl, { path: ['images', name] })

const series: Kind = {
  name: 'series',
  table: 'series',
  fields: [needed('name'), words('name_ro'), words('name_en')],
  search: 'series',
}

const work: Kind = {
  name: 'work',
  table: 'works',
  fields: [
    needed('title'),
    words('title_kana'),
    words('title_en'),
    words('title_ro'),
    needed('media', oneOf(Object.keys(mediaLabels))),
    figure('season_year', seasonYear, { path: ['season_name'] }),
    figure('season', seasonWord, { path: ['season_name'] }),
    words('released_on', dayOrBlank),
    words('released_on_about'),
    words('official_site_url', webUrl),
    words('wikipedia_url', webUrl),
    words('twitter_username'),
    words('twitter_hashtag'),
    idColumn('syobocal', 'syobocal_tid'),
    idColumn('mal', 'mal_anime_id'),
    image('recommended_url'),
    image('og_image_url'),
    image('twitter_image_url'),
    image('avatar_mini_url'),
    image('avatar_normal_url'),
    image('avatar_bigger_url'),
    image('avatar_original_url'),
    count('no_episodes', bit),
    figure('broadcast_begin', instant, { path: ['broadcast', 'begin'] }),
    figure('broadcast_end', instant, { path: ['broadcast', 'end'] }),
    words('broadcast_interval', interval, { path: ['broadcast', 'interval'] }),
    figure('episodes_estimate', wholeNumber(0, 2000)),
    words('list_state', orBlank(oneOf(['grows', 'complete']), '')),
    figure('minutes', wholeNumber(1, mostMinutes)),
    count('popularity', wholeNumber(0, 1_000_000_000)),
  ],
  search: 'works',
  lists: ['aliases', 'search_names', 'search_readings', 'series', 'streams'],
}

const episode: Kind = {
  name: 'episode',
  table: 'episodes',
  fields: [
    reference('work', 'work', { required: true }),
    figure('number', episodeNumber),
    words('number_text'),
    order,
    words('title'),
    count('estimated', bit, { absent: 0 }),
  ],
  inWork: true,
  likeness: [
    ['work_id', 'number'],
    ['work_id', 'sort_number'],
  ],
  // An estimated episode with records, or touched by hand, becomes the listed one; another one is deleted.
  likenessOf: `(estimated = 0 or ${isRecorded} or not ${isUntouched})`,
}

const channelGroup: Kind = { name: 'channel_group', table: 'channel_groups', fields: [needed('name'), order] }

const channel: Kind = {
  name: 'channel',
  table: 'channels',
  fields: [
    needed('name'),
    reference('group', 'channel_group', { column: 'channel_group_id' }),
    count('vod', bit),
    order,
  ],
}

const program: Kind = {
  name: 'program',
  table: 'programs',
  fields: [
    reference('channel', 'channel', { required: true }),
    reference('work', 'work', { required: true }),
    reference('episode', 'episode'),
    needed('started_at', instant),
    count('is_rebroadcast', bit, { path: ['rebroadcast'] }),
    count('estimated', bit, { absent: 0 }),
  ],
  inWork: true,
  likeness: [['channel_id', 'started_at', 'episode_id', 'work_id']],
  likenessOf: 'estimated = 0',
}

const person: Kind = {
  name: 'person',
  table: 'people',
  fields: [
    needed('name'),
    words('name_kana'),
    words('name_en'),
    ...english('nickname'),
    words('gender', orBlank(oneOf(Object.keys(genderLabels)), '')),
    ...english('url', webUrl),
    ...english('wikipedia_url', webUrl),
    ...english('twitter_username'),
    words('birthday', dayOrBlank),
    words('blood_type'),
    figure('height', wholeNumber(1, 300)),
    figure('prefecture_id', prefecture, { path: ['prefecture'] }),
  ],
  search: 'people',
}

const organization: Kind = {
  name: 'organization',
  table: 'organizations',
  fields: [
    needed('name'),
    words('name_kana'),
    words('name_en'),
    ...english('url', webUrl),
    ...english('wikipedia_url', webUrl),
    ...english('twitter_username'),
  ],
  search: 'organizations',
}

const character: Kind = {
  name: 'character',
  table: 'characters',
  fields: [
    needed('name'),
    words('name_kana'),
    words('name_en'),
    ...english('nickname'),
    ...english('birthday'),
    ...english('age'),
    ...english('blood_type'),
    ...english('height'),
    ...english('weight'),
    ...english('nationality'),
    ...english('occupation'),
    ...english('description', lineTextUpTo(50_000)),
    ...english('description_source'),
    reference('series', 'series'),
  ],
  search: 'characters',
}

// The name in the credit defaults to the person's name.
const cast: Kind = {
  name: 'cast',
  table: 'casts',
  fields: [
    reference('work', 'work', { required: true }),
    reference('character', 'character', { required: true }),
    reference('person', 'person', { required: true }),
    words('name', lineText, { otherwise: '(select name from people where id = {person_id})' }),
    words('name_en'),
    order,
  ],
  inWork: true,
  keyless: true,
  likeness: [['work_id', 'character_id', 'person_id']],
}

const creditedName = `ifnull(
  (select name from people where id = {person_id}), (select name from organizations where id = {organization_id}))`

const staff: Kind = {
  name: 'staff',
  table: 'staffs',
  fields: [
    reference('work', 'work', { required: true }),
    reference('person', 'person'),
    reference('organization', 'organization'),
    words('name', lineText, { otherwise: creditedName }),
    words('name_en'),
    needed('role', oneOf(Object.keys(roleLabels))),
    words('role_text'),
    ...english('role_other'),
    order,
  ],
  inWork: true,
  keyless: true,
  likeness: [['work_id', 'person_id', 'organization_id', 'role', 'role_other']],
  rule: (given) =>
    given('person_id') === given('organization_id')
      ? 'person or organization must be given, and not both'
      : undefined,
}

/** In export order: each kind comes after those it references. */
export const kindOf: Readonly<Record<KindName, Kind>> = {
  series,
  work,
  channel_group: channelGroup,
  channel,
  episode,
  program,
  person,
  organization,
  character,
  cast,
  staff,
}

export const kinds: readonly Kind[] = Object.values(kindOf)

const byName = new Map<string, Kind>(Object.entries(kindOf))

export const findKind = (name: string): Kind | undefined => byName.get(name)
