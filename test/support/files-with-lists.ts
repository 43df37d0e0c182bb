/** Works 1 to 5 of the tests of lists in imported files. */
export const titles = ['星の庭', '夜の図書館', '雨と猫', '海辺の列車', '最後の夏']

export const entry = (id: number, status: string | null = null) => ({
  ...{ id: 500 + id, mediaId: id, status, score: 0, progress: 0 },
  media: {
    id,
    idMal: id,
    format: 'MOVIE',
    seasonYear: 2020,
    title: { native: titles[id - 1] ?? `作品${id}` },
  },
})

export const anilist = {
  data: {
    MediaListCollection: {
      lists: [
        { name: 'Planning', isCustomList: false, entries: [entry(1, 'PLANNING'), entry(3, 'PLANNING')] },
        { name: '見返したい', isCustomList: true, entries: [entry(3), entry(1), entry(2), entry(99)] },
      ],
    },
    User: { favourites: { anime: { nodes: [entry(2).media, entry(4).media] } } },
  },
}

const letterboxd = {
  'watched.csv': `Date,Name,Year,Letterboxd URI\n2024-01-01,${titles[0]},2020,https://boxd.it/a\n`,
  'letterboxd-mio/lists/watched.csv': `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2024-01-01,雨の日,,https://boxd.it/l,"疲れた夜に"\n\nPosition,Name,Year,URL,Description\n2,${titles[0]},2020,https://boxd.it/a,\n1,${titles[2]},2020,https://boxd.it/b,静か\n`,
  'deleted/lists/old.csv': `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2024-01-01,捨てた,,u,\n\nPosition,Name,Year,URL,Description\n1,${titles[3]},2020,u,\n`,
}

const own = {
  ...{ exported_at: '2026-04-01T00:00:00.000Z', profile: { two_step_since: null } },
  works: [1, 2, 3].map((id) => ({
    id,
    title: titles[id - 1],
    media: 'movie',
    season_year: 2020,
    ids: { mal: String(id) },
  })),
  lists: [
    {
      ...{ name: '冬に', text: '夜に見る', visibility: 'public', is_ordered: true },
      created_at: '2025-01-01T00:00:00.000Z',
      items: [3, 1].map((id) => ({ work: { id }, note: `注${id}`, added_at: '2025-01-02T00:00:00.000Z' })),
    },
    { ...{ name: '空', text: '', visibility: 'members', is_ordered: false }, items: [] },
  ],
  favorites: [
    { work_id: 2, position: 2, name: titles[1] },
    { work_id: 1, position: 1, name: titles[0] },
    { work_id: null, person_id: 3, name: '誰か' },
  ],
}

const ryot = {
  metadata: [1, 2].map((id) => ({
    ...{ lot: 'anime', source: 'myanimelist', identifier: String(id), source_id: titles[id - 1] },
    ...{ seen_history: [{ state: 'dropped' }], reviews: [] },
    collections: [
      { collection_name: 'Watchlist' },
      { collection_name: 'Comfort' },
      { collection_name: 'Reminders' },
    ],
  })),
  collections: [{ name: 'Comfort', description: 'for bad days' }],
}

const gdpr = {
  user: { custom_lists: { anime: ['夏', '冬'], manga: [] } },
  lists: [
    { series_type: 0, series_id: 1, status: 1, custom_lists: '["1"]' },
    { series_type: 0, series_id: 2, status: 1, custom_lists: { 夏: true, 冬: false } },
  ],
}

const yamtrack =
  'row_type,media_id,source,media_type,title,status,notes,list_name\nmedia,1,mal,anime,a,Planning,,\nlist,1,mal,anime,a,,また,My list\nlist,2,mal,anime,b,,,My list\nlist,,,,,,,Empty\n'

/** Source, contents, name of the file; the lists here afterwards by name, and the favorites. */
export const filesWithLists: readonly (readonly [string, unknown, string, object, readonly number[]])[] = [
  ['anilist', anilist, 'a.json', { 見返したい: ['private', 3, 1, 2] }, [2, 4]],
  ['anilist-gdpr', gdpr, 'gdpr_data.json', { 夏: ['private', 2], 冬: ['private', 1] }, []],
  ['letterboxd', letterboxd, 'l.zip', { 雨の日: ['private', [3, '静か'], 1] }, []],
  ['ryot', ryot, 'r.json', { Comfort: ['private', 1, 2] }, []],
  ['yamtrack', yamtrack, 'y.csv', { 'My list': ['private', [1, 'また'], 2] }, []],
  [
    ...(['csv', 'mal_id,list,position,list_note\n2,A|B,2,x\n1,B,1,\n', 'c.csv'] as const),
    ...([{ A: ['private', [2, 'x']], B: ['private', 1, [2, 'x']] }, []] as const),
  ],
  ['kiroku', own, 'k.json', { 冬に: ['public', [3, '注3'], [1, '注1']], 空: ['members'] }, [1, 2]],
]
