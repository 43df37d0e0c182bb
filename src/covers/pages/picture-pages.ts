import { imagePath } from '../../catalogue/cover-path'
import type { Deps } from '../../deps'
import type { Bytes } from '../../http/bytes'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { fileField } from '../../web/fields'
import { defineAction, defineForm } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { type AccessCheck, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, PageProblem, pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { encode, type PictureProblem, PictureRefused, PicturesBusy } from '../images/encode'
import { isOwnedBy, ownerColumns, type PictureOwner } from '../images/former'
import {
  forgetPicture,
  keepPicture,
  mostBytes,
  mostPictures,
  PicturesTooLarge,
  removePicture,
  restorePicture,
  TooManyPictures,
} from '../images/store'

interface PicturePage {
  readonly path: string
  readonly access: AccessCheck<MemberVisit>
  ownerIn(visit: MemberVisit): PictureOwner
  pathIn(visit: MemberVisit): string
  show(visit: MemberVisit, form: Markup): Promise<PageContent>
  /** Throws a `PageProblem` if no picture may be sent. */
  checkUpload?(visit: MemberVisit): Promise<unknown>
}

export function picturePages(page: PicturePage): readonly PageRoute[] {
  const { path, access, ownerIn, pathIn, show } = page
  const route = (
    name: string,
    event: 'picture_removed' | 'picture_restored' | 'former_picture_deleted',
    change: typeof restorePicture,
  ) =>
    defineAction({
      path: `${path}/${name}`,
      access,
      run: async (visit) => {
        const owner = ownerIn(visit)
        if (!(await orProblem(change(visit.deps, owner)))) throw pageNotFound()
        visit.deps.log(event, { kind: owner.kind, user: owner.userId, work: workOf(owner) })
        return seeOther(visit, pathIn(visit))
      },
    })
  const form = defineForm({
    path,
    access,
    fields: { picture: pictureField },
    show,
    button: (t) => t.pictures.upload,
    submit: async (visit, { picture }) => {
      await page.checkUpload?.(visit)
      await upload(visit.deps, ownerIn(visit), picture)
      return seeOther(visit, pathIn(visit))
    },
  })
  return [
    ...form,
    route('remove', 'picture_removed', removePicture),
    route('restore', 'picture_restored', restorePicture),
    route('forget', 'former_picture_deleted', forgetPicture),
  ]
}

/** These actions have no form that could show the problem, so it becomes a page. */
async function orProblem(change: Promise<boolean>): Promise<boolean> {
  try {
    return await change
  } catch (cause) {
    const problem = pictureProblem(cause)
    if (problem === undefined) throw cause
    throw new PageProblem(problem.status, (t) => [t.form.notUnderstood, problem.text(t)])
  }
}

const pictureField = fileField({
  label: (t) => t.pictures.picture,
  hint: (t) => t.pictures.limits,
  accept: 'image/jpeg,image/png,image/webp,image/gif',
})

/** Throws a `FormProblem` for the field `picture`. */
async function upload(deps: Deps, owner: PictureOwner, bytes: Bytes): Promise<void> {
  try {
    await keepPicture(deps, owner, 'upload', await encode(bytes, owner.kind))
  } catch (cause) {
    throw pictureProblem(cause) ?? cause
  }
  deps.log('picture_uploaded', { kind: owner.kind, user: owner.userId, work: workOf(owner) })
}

const workOf = (owner: PictureOwner): number | undefined =>
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
  'other size': (t) => t.pictures.otherSize,
}

/** The former picture, with a button to restore it; empty if there is none. */
export async function formerPicture(visit: MemberVisit, owner: PictureOwner, path: string): Promise<Markup> {
  const { deps, t, basePath } = visit
  const { kind } = ownerColumns(owner)
  const former = await deps.read
    .selectFrom('former_images')
    .select('hash')
    .where(isOwnedBy(owner))
    .executeTakeFirst()
  if (former === undefined) return html``
  const [file, width, height] = kind === 'cover' ? [160, 80, 120] : [192, 80, 80]
  return html`<section class="former"><h2>${t.pictures.former}</h2>
    <img class="${kind === 'cover' ? 'cover' : 'portrait'}" src="${basePath}${imagePath(former.hash, file)}" alt="" width="${width}" height="${height}" />
    <div><p class="soft">${t.pictures.formerKept}</p>
    <div class="buttons">${buttonForm(visit, `${path}/restore`, t.pictures.restore)}${buttonForm(visit, `${path}/forget`, t.pictures.forget, 'danger')}</div></div></section>`
}
