import type { Read } from '../../../db/open'
import type { SearchKind } from '../texts'
import { findDirect } from './direct'
import { titleOf } from './nicknames'
import type { Hits } from './scores'

export async function findNamed(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  await findDirect(read, kind, text, hits)
  const title = kind === 'works' ? titleOf(text) : undefined
  if (title !== undefined) await findDirect(read, kind, title, hits)
}
