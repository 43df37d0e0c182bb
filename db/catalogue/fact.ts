/** A work in Annict's list, which is authoritative for id, medium and season (D58). */
export interface Fact {
  annict: number
  media: Media
  season: string | undefined
  mal: number | undefined
  syobocal: number | undefined
  title: string
}

export type Media = 'tv' | 'web' | 'movie' | 'ova' | 'other'

export const isMedia = (text: string | undefined): text is Media =>
  ['tv', 'web', 'movie', 'ova', 'other'].some((media) => media === text)
