import { expect, test } from 'bun:test'
import {
  type AnimeElement,
  absolute,
  type MappedRange,
  rangesOfAnime,
  rangesOfDescriptor,
  rangesOfEntry,
} from '../../../src/transfer/mapping/ranges'

const anime = (attributes: Record<string, string>, ...mappings: AnimeElement['mappings']) =>
  rangesOfAnime({ attributes: { anidbid: '1', tvdbid: '9', ...attributes }, mappings })
const brief = ({ site, season, first, last, shift, rank }: MappedRange) => [
  site,
  season,
  first,
  last,
  shift,
  rank,
]

test('an anime of Anime-Lists is the rest of a season, from after its offset on', () => {
  const offsets = {
    defaulttvdbseason: '2',
    episodeoffset: '12',
    tmdbtv: '8',
    tmdbseason: '1',
    tmdboffset: '',
  }
  expect(anime(offsets).map(brief)).toEqual([
    ['tvdb', 2, 13, null, -12, 2],
    ['tmdb', 1, 1, null, 0, 2],
  ])
  expect(anime({ defaulttvdbseason: 'a', episodeoffset: '' }).map(brief)).toEqual([
    ['tvdb', absolute, 1, null, 0, 2],
  ])
  for (const tvdbid of ['movie', 'OVA', '', 'unknown', '0', '12x'])
    expect(anime({ tvdbid, defaulttvdbseason: '1' })).toEqual([])
  expect(anime({ anidbid: '', defaulttvdbseason: '1' })).toEqual([])
})

test('single episodes and ranges of Anime-Lists; 0 is nowhere, 6+7 are two that are one, specials have no number', () => {
  const range = { anidbseason: '1', tvdbseason: '2', start: '9', end: '30', offset: '-8' }
  const found = anime(
    { defaulttvdbseason: '', episodeoffset: '' },
    { attributes: range, text: ';1-5;2-6+7;3-0;x-1;4-y;' },
    { attributes: { anidbseason: '0', tvdbseason: '0' }, text: ';1-3;' },
    { attributes: { anidbseason: '1', tmdbseason: '1', start: '1', end: '', offset: '' }, text: '' },
  )
  expect(found.map(brief)).toEqual([
    ['tvdb', 2, 5, 5, -4, 0],
    ['tvdb', 2, 6, 6, -4, 0],
    ['tvdb', 2, 7, 7, -5, 0],
    ['tvdb', 2, 1, 22, 8, 1],
    ['tvdb', 0, 3, 3, null, 0],
  ])
})

test('a descriptor of AniBridge leads to ranges as long as its own; ratios and other sites say nothing', () => {
  const value = {
    'mal:5': { '13-24': '1-12', '25-': '13-', '30': '20' },
    'anidb:6:R': { '1-2': '3-4' },
    'anidb:6:S': { '3': '1' },
    'anilist:7': { '1-12': '1-24|2', '1-3': '1-4', x: '1', '5': 7 },
    'imdb:tt1': { '1': '1' },
    'mal:0': { '1': '1' },
    'mal:8': { '1-12': '1-6,8-13', '13-14': '20,30-32', '15-': '1,3-', '16-17': '1,3|2', '18': null },
  }
  expect(rangesOfDescriptor('tvdb_show:9:s1', value).map((one) => [one.ns, one.id, ...brief(one)])).toEqual([
    ['mal', '5', 'tvdb', 1, 30, 30, -10, 1],
    ['mal', '5', 'tvdb', 1, 13, 24, -12, 1],
    ['mal', '5', 'tvdb', 1, 25, null, -12, 1],
    ['anidb', '6', 'tvdb', 1, 1, 2, 2, 1],
    ['anidb', '6', 'tvdb', 1, 3, 3, null, 1],
    ['anilist', '7', 'tvdb', 1, 5, 5, 2, 1],
    ['mal', '8', 'tvdb', 1, 1, 6, 0, 1],
    ['mal', '8', 'tvdb', 1, 7, 12, 1, 1],
  ])
  expect(rangesOfDescriptor('tmdb_show:9', { 'mal:5': { '1': '1' } }).map(brief)).toEqual([
    ['tmdb', absolute, 1, 1, 0, 1],
  ])
  for (const key of ['mal:5', 'tvdb_movie:9', 'tvdb_show:0:s1', 'tvdb_show:9:s1:x', 'constructor'])
    expect(rangesOfDescriptor(key, value)).toEqual([])
  for (const odd of [null, 3, 'x', [], { 'mal:5': null }])
    expect(rangesOfDescriptor('tvdb_show:9:s1', odd)).toEqual([])
})

test('an entry of Fribb’s says the series of a work and its season; a film’s number is no series', () => {
  const ids = { anidb_id: 3, mal_id: 5, thetvdb_id: 9, season: { tvdb: 2 } }
  expect(
    rangesOfEntry({ ...ids, themoviedb_id: 8, type: 'TV' }).map((one) => [one.ns, one.id, ...brief(one)]),
  ).toEqual([
    ['mal', '5', 'tvdb', 2, 0, null, null, 3],
    ['mal', '5', 'tmdb', null, 0, null, null, 3],
  ])
  expect(rangesOfEntry({ anidb_id: 3, themoviedb_id: { tv: 8 } }).map((one) => one.ns)).toEqual(['anidb'])
  expect(rangesOfEntry({ mal_id: 5, themoviedb_id: 8, type: 'MOVIE' })).toEqual([])
  for (const odd of [{}, { mal_id: 'x', thetvdb_id: 9 }, { mal_id: 5, thetvdb_id: 'unknown' }])
    expect(rangesOfEntry(odd)).toEqual([])
})
