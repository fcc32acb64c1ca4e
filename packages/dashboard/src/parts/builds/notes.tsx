import { type MarkedBlock, markedBlocks, type Span } from '@agate/client';
import { Fragment } from 'react';
import { ExternalLink } from '../../ui';
import styles from './notes.module.css';

/** The notes of a build with the marks that testers see on pages and in mails. Nothing in them becomes markup. */
export function Notes({ text }: { text: string }) {
  return (
    <div className={styles.notes} dir="auto">
      {markedBlocks(text).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block: { kind, lines } }: { block: MarkedBlock }) {
  if (kind === 'list')
    return (
      <ul>
        {lines.map((line, index) => (
          <li key={index}>
            <Line spans={line} />
          </li>
        ))}
      </ul>
    );
  return (
    <p>
      {lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          <Line spans={line} />
        </Fragment>
      ))}
    </p>
  );
}

const Line = ({ spans }: { spans: readonly Span[] }) => spans.map((span, index) => <Piece key={index} span={span} />);

function Piece({ span: { text, href, isBold, isItalic, isCode } }: { span: Span }) {
  const plain = isCode ? (
    <code>{text}</code>
  ) : href === undefined ? (
    text
  ) : (
    <ExternalLink href={href}>{text}</ExternalLink>
  );
  const strong = isBold ? <strong>{plain}</strong> : plain;
  return isItalic ? <em>{strong}</em> : strong;
}
