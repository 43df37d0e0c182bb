import type { Deps } from '../../deps'
import type { Bytes } from '../../http/bytes'
import type { Message } from '../../messages/languages'
import { fileField } from '../../web/fields'
import { FormProblem } from '../../web/problem'
import { encode, type PictureProblem, PictureRefused, PicturesBusy } from '../images/encode'
import type { Owner } from '../images/former'
import { keepPicture, mostBytes, mostPictures, PicturesTooLarge, TooManyPictures } from '../images/store'

export const pictureField = fileField({
  label: (t) => t.pictures.picture,
  hint: (t) => t.pictures.limits,
  accept: 'image/jpeg,image/png,image/webp,image/gif',
})

/** Throws a `FormProblem` for the field `picture`. */
export async function upload(deps: Deps, owner: Owner, bytes: Bytes): Promise<void> {
  try {
    await keepPicture(deps, owner, 'upload', await encode(bytes, owner.kind))
  } catch (cause) {
    throw pictureProblem(cause) ?? cause
  }
  deps.log('picture_uploaded', { kind: owner.kind, user: owner.userId, work: workOf(owner) })
}

export const workOf = (owner: Owner): number | undefined =>
  owner.kind === 'cover' ? owner.workId : undefined

export function pictureProblem(cause: unknown): FormProblem | undefined {
  if (cause instanceof PictureRefused) return new FormProblem('picture', texts[cause.problem])
  if (cause instanceof TooManyPictures)
    return new FormProblem('picture', (t) => t.pictures.tooMany(mostPictures))
  if (cause instanceof PicturesTooLarge)
    return new FormProblem('picture', (t) => t.pictures.tooLarge(mostBytes / 1_000_000))
  if (cause instanceof PicturesBusy)
    return new FormProblem('', (t) => t.pictures.busy, 503, { 'Retry-After': '5' })
  return undefined
}

const texts: Readonly<Record<PictureProblem, Message>> = {
  'not a picture': (t) => t.pictures.notPicture,
  'too many pixels': (t) => t.pictures.tooManyPixels,
  damaged: (t) => t.pictures.damaged,
  'too small': (t) => t.pictures.tooSmall,
  'too detailed': (t) => t.pictures.tooDetailed,
}
