import logo from '../logo.svg';
import { useWords } from '../words/words-provider';

interface BootingProps {
  readonly look?: 'entrance';
}

/** The frame before its script has arrived, as the page of the service shows it from the first paint. */
export function Booting({ look }: BootingProps) {
  return (
    <div className="boot" data-look={look}>
      <p role="status" className="visually-hidden">
        {useWords().frame.loading}
      </p>
      <div className="boot-side">
        <img src={logo} alt="" width="24" height="24" />
      </div>
    </div>
  );
}

export const BootingEntrance = () => <Booting look="entrance" />;
