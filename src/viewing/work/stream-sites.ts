interface StreamSite {
  readonly name: string
  /** Before and after the id that the site has for a work. */
  readonly before: string
  readonly after?: string
}

/** By the names of bangumi-data, which the catalogue uses. */
const sites: Readonly<Record<string, StreamSite>> = {
  danime: { name: 'dアニメストア', before: 'https://animestore.docomo.ne.jp/animestore/ci_pc?workId=' },
  unext: { name: 'U-NEXT', before: 'https://video.unext.jp/title/' },
  abema: { name: 'ABEMA', before: 'https://abema.tv/video/title/' },
  nicovideo: { name: 'ニコニコチャンネル', before: 'https://ch.nicovideo.jp/' },
  netflix: { name: 'Netflix', before: 'https://www.netflix.com/title/' },
  prime: { name: 'Prime Video', before: 'https://www.amazon.co.jp/gp/video/detail/' },
  disneyplus: { name: 'Disney+', before: 'https://www.disneyplus.com/series/view/' },
  crunchyroll: { name: 'Crunchyroll', before: 'https://www.crunchyroll.com/series/', after: '/' },
  youtube: { name: 'YouTube', before: 'https://www.youtube.com/playlist?list=' },
}

export interface Stream {
  readonly site: string
  readonly external_id: string
}

/** The address is undefined where only the site is known. */
export function streamLink({ site, external_id }: Stream): { name: string; url: string | undefined } {
  const known = sites[site]
  if (known === undefined) return { name: site, url: undefined }
  const { name, before, after = '' } = known
  return { name, url: external_id === '' ? undefined : `${before}${encodeURIComponent(external_id)}${after}` }
}
