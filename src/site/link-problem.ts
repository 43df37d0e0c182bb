import { type Words, words } from '../lib/words'
import { PageProblem } from '../web/problem'

/** The page of a link that is unknown, used or over; what to do about it is the last sentence. */
export const linkProblem = (advice: Words) =>
  new PageProblem(
    404,
    words('This link is not good any more', 'このリンクは使えません'),
    words(
      `It was used, replaced by a newer one, or made too long ago. ${advice.en}`,
      `使用済みか、新しいリンクに置き換えられたか、期限が切れています。${advice.ja}`,
    ),
  )
