import type { CatalogueLine } from '../../source'
import type { Named } from './shapes'

interface Numbered {
  readonly annictId: number
}

/** Omits fields that are null, undefined or empty. */
export const lineOf = (
  type: string,
  node: Numbered,
  fields: Readonly<Record<string, unknown>>,
): CatalogueLine => ({
  type,
  key: keyOf(node),
  ...Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ),
})

export const keyOf = ({ annictId }: Numbered): string => `annict:${annictId}`

export const idsOf = ({ annictId }: Numbered) => ({ annict: annictId })

export const namedLine = (type: string, named: Named): CatalogueLine =>
  lineOf(type, named, {
    ids: idsOf(named),
    name: named.name,
    name_kana: named.nameKana,
    name_en: named.nameEn,
  })
