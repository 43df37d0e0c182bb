import type { Messages } from '../../messages/en'
import type { PageContext } from '../../pages/layout'
import type { AnySource } from '../../sources/source'

/** What people are told of a source; a test holds that there is a text for each. */
export const sourceText = (t: Messages, { name }: Pick<AnySource, 'name'>) => {
  const texts: Readonly<Record<string, SourceText>> = t.catalogue.sourceTexts
  return texts[name] ?? { brings: '', sends: '', attribution: '' }
}

type SourceText = Readonly<Record<'brings' | 'sends' | 'attribution', string>>

/** `Every week` */
export function howOften({ catalogue }: Messages, { intervalMs }: Pick<AnySource, 'intervalMs'>): string {
  return intervalMs === undefined
    ? catalogue.commandOnly
    : catalogue.every(Math.round(intervalMs / 86_400_000))
}

/** `api.annict.com` */
export const hostsText = ({ catalogue }: Messages, { hosts }: Pick<AnySource, 'hosts'>): string =>
  hosts.length === 0 ? catalogue.ownLocation : hosts.join(', ')

/** The page that tells of it, at the source or here. */
export const homeOf = (
  { basePath }: Pick<PageContext, 'basePath'>,
  { home }: Pick<AnySource, 'home'>,
): string => (home.startsWith('/') ? basePath + home : home)

/** The declarations; loaded where a page needs them, so that a server that has no source on keeps nothing of them. */
export async function declaredSources(): Promise<readonly AnySource[]> {
  const { allSources } = await import('../../sources/all')
  return allSources
}
