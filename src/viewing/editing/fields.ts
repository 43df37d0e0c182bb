import type { EditValue } from '../../catalogue/edit/row'
import { webUrl } from '../../catalogue/import/kinds/cells'
import { type Kind, type KindName, placeOf } from '../../catalogue/import/kinds/field'
import { kindOf } from '../../catalogue/import/kinds/kinds'
import { idIn } from '../../catalogue/search/ways/by-address'
import type { Messages } from '../../messages/en'
import type { Message } from '../../messages/languages'
import { integerBetween, wholeNumber } from '../../values/number'
import { lineUpTo } from '../../values/text'
import { InvalidValue, orBlank, type Value } from '../../values/value'
import { seasonNames } from '../parts/season'

/** A field of a form by which the catalogue is edited. */
export interface EditField {
  /** Of its input: the column, or `id_` and a site. */
  readonly name: string
  /** As in `EditedRow.values`. */
  readonly field: string
  readonly label: Message
  readonly hint?: Message
  /** Words for the values that may be chosen. */
  readonly choices?: (t: Messages) => Readonly<Record<string, string>>
  readonly look?: 'lines' | 'number' | 'tick' | 'url'
  read(text: string): EditValue | InvalidValue
}

/** The text of a value in its input. */
export function textOf({ look }: Pick<EditField, 'look'>, value: EditValue): string {
  if (value === null || (look === 'tick' && value === 0)) return ''
  return typeof value === 'object' ? value.join('\n') : String(value)
}

type FieldName = keyof Messages['editing']['fields']

const label =
  (name: FieldName): Message =>
  (t) =>
    t.editing.fields[name]

/** A column by the importer's rules, and without characters that cannot be seen. */
function column(kind: Kind, name: FieldName, more: Partial<EditField> = {}): EditField {
  const field = kind.fields[placeOf(kind, name)]
  const read = (text: string) => {
    if (text.trim() === '') return field?.required === true ? missing : (field?.blank ?? null)
    const line = aLine.read(text)
    return line instanceof InvalidValue ? line : (field?.value.read(line) ?? missing)
  }
  return { name, field: name, label: label(name), read, ...more }
}

const aLine = lineUpTo(2000)
const missing = new InvalidValue((t) => t.form.missing)

const number = (kind: Kind, name: FieldName, value: Value<number>): EditField =>
  column(kind, name, { look: 'number', read: (text) => orBlank(value, null).read(text.trim()) })

const address = (kind: Kind, name: FieldName): EditField =>
  column(kind, name, { look: 'url', read: (text) => plainUrl(text.trim()) })

function plainUrl(text: string): string | InvalidValue {
  const line = text === '' ? text : aLine.read(text)
  return line instanceof InvalidValue ? line : webUrl.read(line)
}

/** Also takes the address of the page there. */
function siteId(ns: string, field: string): EditField {
  const read = (text: string) => {
    const [typed, named] = [text.trim(), idIn(text.trim())]
    const id = named === undefined || named.ns !== ns ? typed : named.id
    if (id === '') return field.startsWith('ids.') ? null : ''
    return /^[1-9][0-9]{0,14}$/.test(id) ? id : new InvalidValue((t) => t.values.countedId)
  }
  return { name: `id_${ns}`, field, label: () => siteNames[ns] ?? ns, read }
}

export const siteNames: Readonly<Record<string, string>> = {
  annict: 'Annict',
  syobocal: 'しょぼいカレンダー',
  mal: 'MyAnimeList',
  anilist: 'AniList',
  anidb: 'AniDB',
  bangumi: 'Bangumi',
}

/** One a line, each once. */
const aliases: EditField = {
  ...{
    name: 'aliases',
    field: 'aliases',
    label: label('aliases'),
    hint: (t) => t.editing.oneALine,
    look: 'lines',
  },
  read: (text) => {
    const lines = text.split(/\r?\n/).map((line) => line.trim())
    const titles = [...new Set(lines.filter((line) => line !== ''))]
    if (titles.length > mostAliases) return new InvalidValue((t) => t.editing.tooManyAliases(mostAliases))
    const wrong = titles.map((title) => lineUpTo(1000).read(title)).find((one) => one instanceof InvalidValue)
    return wrong ?? titles.toSorted()
  },
}

const mostAliases = 500

const { work, episode, person, organization, character, series, channel } = kindOf

const seasons = (t: Messages) =>
  Object.fromEntries([['', t.editing.none], ...seasonNames.map((name) => [name, t.seasons.names[name]])])

const chosen = (name: FieldName, choices: NonNullable<EditField['choices']>): EditField => ({
  ...column(work, name, { choices }),
  read: (text) =>
    text === '' ? blankOf(name) : (work.fields[placeOf(work, name)]?.value.read(text) ?? null),
})

const blankOf = (name: FieldName) => (name === 'season' ? null : '')

const workFields: readonly EditField[] = [
  column(work, 'title'),
  column(work, 'title_kana'),
  column(work, 'title_en'),
  column(work, 'title_ro'),
  aliases,
  column(work, 'media', { choices: (t) => t.media }),
  number(work, 'season_year', wholeNumber(1000, 9999)),
  {
    ...chosen('season', seasons),
    read: (text) => seasonNames.find((name) => name === text) ?? (text === '' ? null : notOffered),
  },
  column(work, 'released_on', { hint: (t) => t.editing.dayHint }),
  address(work, 'official_site_url'),
  address(work, 'wikipedia_url'),
  column(work, 'twitter_username'),
  column(work, 'twitter_hashtag'),
  siteId('annict', 'ids.annict'),
  siteId('syobocal', 'syobocal_tid'),
  siteId('mal', 'mal_anime_id'),
  siteId('anilist', 'ids.anilist'),
  siteId('anidb', 'ids.anidb'),
  column(work, 'no_episodes', { look: 'tick', read: (text) => (['', '0'].includes(text) ? 0 : 1) }),
  number(work, 'episodes_estimate', wholeNumber(0, 2000)),
  chosen('list_state', (t) => ({
    '': t.editing.asSourcesSay,
    grows: t.editing.grows,
    complete: t.editing.complete,
  })),
]

const sortNumber = integerBetween(-1_000_000_000, 1_000_000_000)
const notOffered = new InvalidValue((t) => t.form.notOffered)

const names = (kind: Kind): readonly EditField[] => [
  column(kind, 'name'),
  column(kind, 'name_kana'),
  column(kind, 'name_en'),
]

const addresses = (kind: Kind): readonly EditField[] => [
  address(kind, 'url'),
  address(kind, 'wikipedia_url'),
  column(kind, 'twitter_username'),
]

const fieldsByKind: Partial<Record<KindName, readonly EditField[]>> = {
  work: workFields,
  episode: [
    column(episode, 'number'),
    column(episode, 'number_text'),
    column(episode, 'title'),
    column(episode, 'sort_number', { look: 'number', read: (text) => sortNumber.read(text.trim()) }),
  ],
  person: [
    ...names(person),
    column(person, 'nickname'),
    column(person, 'birthday', { hint: (t) => t.editing.dayHint }),
    ...addresses(person),
  ],
  organization: [...names(organization), ...addresses(organization)],
  character: [...names(character), column(character, 'nickname')],
  series: [column(series, 'name'), column(series, 'name_en'), column(series, 'name_ro')],
  channel: [
    column(channel, 'name'),
    column(channel, 'vod', { look: 'tick', read: (text) => (['', '0'].includes(text) ? 0 : 1) }),
  ],
}

/** Those that a form of the kind has. */
export const fieldsOf = (kind: KindName): readonly EditField[] => fieldsByKind[kind] ?? []
