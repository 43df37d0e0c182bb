/** The addresses of an entry at other sites, in order of preference for its key. */
const sites: readonly (readonly [site: string, address: RegExp])[] = [
  ['mal', /^https?:\/\/(?:www\.)?myanimelist\.net\/anime\/([1-9]\d*)/],
  ['anilist', /^https?:\/\/(?:www\.)?anilist\.co\/anime\/([1-9]\d*)/],
  ['anidb', /^https?:\/\/(?:www\.)?anidb\.net\/(?:anime\/|a)([1-9]\d*)/],
  ['kitsu', /^https?:\/\/(?:www\.)?kitsu\.(?:app|io)\/anime\/([1-9]\d*)/],
  ['anisearch', /^https?:\/\/(?:www\.)?anisearch\.com\/anime\/([1-9]\d*)/],
  ['livechart', /^https?:\/\/(?:www\.)?livechart\.me\/anime\/([1-9]\d*)/],
  ['simkl', /^https?:\/\/(?:www\.)?simkl\.com\/anime\/([1-9]\d*)/],
  ['ann', /^https?:\/\/(?:www\.)?animenewsnetwork\.com\/.*[?&]id=([1-9]\d*)/],
]

export function idsOf(addresses: readonly string[]): Record<string, number> {
  const ids: Record<string, number> = {}
  for (const [site, address] of sites) {
    const found = addresses.flatMap((url) => Number(address.exec(url)?.[1]) || [])
    const [id] = found
    // Two ids at one site mean that the entry is two works.
    if (id !== undefined && found.length === 1 && Number.isSafeInteger(id)) ids[site] = id
  }
  return ids
}
