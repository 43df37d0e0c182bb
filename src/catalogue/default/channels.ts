/** Streams find their channel by its `site` id, television broadcasts by `broadcast`. */
export const channelLines = () => [...groups, ...channels.map(channelLine)]

const groups = [
  { type: 'channel_group', key: 'stream:television', name: 'テレビ', sort_number: 10 },
  { type: 'channel_group', key: 'stream:video', name: '動画サービス', sort_number: 20 },
] as const

interface Channel {
  site: string
  name: string
  annict?: number | undefined
}

// bangumi-data has the time of the first broadcast, but not its station.
const firstBroadcast = 'broadcast'

/** Pages name it in the reader's language. */
export const unknownStationName = 'テレビ（局未定）'

const channels: Channel[] = [
  { site: firstBroadcast, name: unknownStationName },
  { site: 'nicovideo', name: 'ニコニコチャンネル', annict: 165 },
  { site: 'abema', name: 'ABEMA' },
  { site: 'unext', name: 'U-NEXT' },
  { site: 'danime', name: 'dアニメストア', annict: 241 },
  { site: 'prime', name: 'Prime Video', annict: 243 },
  { site: 'netflix', name: 'Netflix', annict: 244 },
  { site: 'disneyplus', name: 'Disney+' },
  { site: 'crunchyroll', name: 'Crunchyroll' },
  { site: 'youtube', name: 'YouTube' },
]

/** Sites of bangumi-data that can be watched from Japan. */
export const streamSites = new Set(channels.map(({ site }) => site).filter((site) => site !== firstBroadcast))

function channelLine({ site, name, annict }: Channel) {
  const isVideo = streamSites.has(site)
  return {
    type: 'channel' as const,
    key: annict ? `annict:${annict}` : `stream:${site}`,
    ids: { annict, site },
    name,
    group: isVideo ? 'stream:video' : 'stream:television',
    vod: isVideo,
  }
}
