import { describeFuzz } from '../../suites/fuzz.suite';

describeFuzz(30);
