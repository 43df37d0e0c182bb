import { isObject } from '../../../catalogue/import/file/json'
import { hasOwnPriority } from '../../../catalogue/import/source'
import { jsonLines } from '../../packed/json-lines'
import { type AnswerBody, type CatalogueLine, ShapeError } from '../../source'

/** The lines of packs unchanged, header first. Throws a `ShapeError` for anything but a catalogue. */
export async function* packLines(packs: readonly AnswerBody[]): AsyncGenerator<CatalogueLine> {
  for (const pack of packs) {
    let isFirst = true
    for await (const line of jsonLines('the pack', pack.stream(), maxUnpacked)) {
      if (!isLine(line)) throw new ShapeError('the pack', 'has a line without a type')
      if (isFirst) refuseHeader(line)
      isFirst = false
      yield line
    }
  }
}

const maxUnpacked = 128 * 2 ** 20

const isLine = (value: unknown): value is CatalogueLine => isObject(value) && typeof value.type === 'string'

/** A pack must not pose as another source: its values would get that source's priority. */
function refuseHeader({ type, name }: CatalogueLine): void {
  if (type !== 'catalogue' || typeof name !== 'string')
    throw new ShapeError('the pack', 'does not begin with the line of a catalogue')
  if (hasOwnPriority(name) && name !== 'bangumi-data')
    throw new ShapeError('the pack', `has the name ${name}, which is that of another source`)
}
