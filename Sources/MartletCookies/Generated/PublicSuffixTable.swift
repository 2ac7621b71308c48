// Written by `scripts/public-suffixes` from the Public Suffix List (https://publicsuffix.org/list/), version
// 2026-10-22_08-36-41_UTC. Do not edit.
//
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
// distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.

/// The rules of the Public Suffix List, of its ICANN and its private division.
enum PublicSuffixTable {
    /// The number of labels of the longest rule.
    static var depth: Int { 7 }

    /// A line for each domain that has rules directly below it, in the order of their bytes: the domain, and the labels in the order
    /// of their bytes. `!` marks an exception.
    static var lines: StaticString {
        """
         aaa aarp abb abbott abbvie abc able abogado abudhabi ac academy accenture accountant accountants aco actor ad ads adult ae aeg \
        aero aetna af afl africa ag agakhan agency ai aig airbus airforce airtel akdn al alibaba alipay allfinanz allstate ally alsace a\
        lstom am amazon americanexpress americanfamily amex amfam amica amsterdam analytics android anquan anz ao aol apartments app app\
        le aq aquarelle ar arab aramco archi army arpa art arte as asda asia associates at athleta attorney au auction audi audible audi\
        o auspost author auto autos aw aws ax axa az azure ba baby baidu banamex band bank bar barcelona barclaycard barclays barefoot b\
        argains baseball basketball bauhaus bayern bb bbc bbt bbva bcg bcn bd be beats beauty beer berlin best bestbuy bet bf bg bh bhar\
        ti bi bible bid bike bing bingo bio biz bj black blackfriday blockbuster blog bloomberg blue bm bms bmw bn bnpparibas bo boats b\
        oehringer bofa bom bond boo book booking bosch bostik boston bot boutique box br bradesco bridgestone broadway broker brother br\
        ussels bs bt build builders business buy buzz bv bw by bz bzh ca cab cafe cal call calvinklein cam camera camp canon capetown ca\
        pital capitalone car caravan cards care career careers cars casa case cash casino cat catering catholic cba cbn cbre cc cd cente\
        r ceo cern cf cfa cfd cg ch chanel channel charity chase chat cheap chintai christmas chrome church ci cipriani circle cisco cit\
        adel citi citic city cl claims cleaning click clinic clinique clothing cloud club clubmed cm cn co coach codes coffee college co\
        logne com commbank community company compare computer comsec condos construction consulting contact contractors cooking cool coo\
        p corsica country coupon coupons courses cpa cr credit creditcard creditunion cricket crown crs cruise cruises cu cuisinella cv \
        cw cx cy cymru cyou cz dad dance data date dating datsun day dclk dds de deal dealer deals degree delivery dell deloitte delta d\
        emocrat dental dentist desi design dev dhl diamonds diet digital direct directory discount discover dish diy dj dk dm dnp do doc\
        s doctor dog domains dot download drive dtv dubai dupont durban dvag dvr dz earth eat ec eco edeka edu education ee eg email eme\
        rck energy engineer engineering enterprises epson equipment ericsson erni es esq estate et eu eurovision eus events exchange exp\
        ert exposed express extraspace fage fail fairwinds faith family fan fans farm farmers fashion fast fedex feedback ferrari ferrer\
        o fi fidelity fido film final finance financial fire firestone firmdale fish fishing fit fitness fj flickr flights flir florist \
        flowers fly fm fo foo food football ford forex forsale forum foundation fox fr free fresenius frl frogans frontier ftr fujitsu f\
        un fund furniture futbol fyi ga gal gallery gallo gallup game games gap garden gay gb gbiz gd gdn ge gea gent genting george gf \
        gg ggee gh gi gift gifts gives giving gl glass gle global globo gm gmail gmbh gmo gmx gn godaddy gold goldpoint golf goodyear go\
        og google gop got gov gp gq gr grainger graphics gratis green gripe grocery group gs gt gu gucci guge guide guitars guru gw gy h\
        air hamburg hangout haus hbo hdfc hdfcbank health healthcare help helsinki here hermes hiphop hisamitsu hitachi hiv hk hkt hm hn\
         hockey holdings holiday homedepot homegoods homes homesense honda horse hospital host hosting hot hotel hotels hotmail house ho\
        w hr hsbc ht hu hughes hyatt hyundai ibm icbc ice icu id ie ieee ifm ikano il im imamat imdb immo immobilien in inc industries i\
        nfiniti info ing ink institute insurance insure int international intuit investments io ipiranga iq ir irish is ismaili ist ista\
        nbul it itau itv jaguar java jcb je jeep jetzt jewelry jio jll jmp jnj jo jobs joburg jot joy jp jpmorgan jprs juegos kaufen kdd\
        i ke kerryhotels kerryproperties kfh kg kh ki kia kids kim kindle kitchen kiwi km kn koeln komatsu kosher kp kpmg kpn kr krd kre\
        d kuokgroup kw ky kyoto kz la lacaixa lamborghini lamer land landrover lanxess lasalle lat latino latrobe law lawyer lb lc lds l\
        ease leclerc lefrak legal lego lexus lgbt li lidl life lifeinsurance lifestyle lighting like lilly limited limo lincoln link liv\
        e living lk llc llp loan loans locker locus lol london lotte lotto love lpl lplfinancial lr ls lt ltd ltda lu lundbeck luxe luxu\
        ry lv ly ma madrid maif maison makeup man management mango map market marketing markets marriott marshalls mattel mba mc mckinse\
        y md me med media meet melbourne meme memorial men menu merck merckmsd mg mh miami microsoft mil mini mint mit mitsubishi mk ml \
        mlb mls mma mn mo mobi mobile moda moe moi mom monash money monster mormon mortgage moscow moto motorcycles mov movie mp mq mr m\
        s msd mt mtn mtr mu museum music mv mw mx my mz na nab nagoya name navy nba nc ne nec net netbank netflix network neustar new ne\
        ws next nextdirect nexus nf nfl ng ngo nhk ni nico nike nikon ninja nissan nissay nl no nokia norton now nowruz nowtv nr nra nrw\
         ntt nu nyc nz obi observer office okinawa olayan olayangroup ollo om omega one ong onion onl online ooo open oracle orange org \
        organic origins osaka otsuka ott ovh pa page panasonic paris pars partners parts party pay pccw pe pet pf pfizer ph pharmacy phd\
         philips phone photo photography photos physio pics pictet pictures pid pin ping pink pioneer pizza pk pl place play playstation\
         plumbing plus pm pn pnc pohl poker politie porn post pr praxi press prime pro prod productions prof progressive promo propertie\
        s property protection pru prudential ps pt pub pw pwc py qa qpon quebec quest racing radio re read realestate realtor realty rec\
        ipes red redumbrella rehab reise reisen reit reliance ren rent rentals repair report republican rest restaurant review reviews r\
        exroth rich richardli ricoh ril rio rip ro rocks rodeo rogers room rs rsvp ru rugby ruhr run rw rwe ryukyu sa saarland safe safe\
        ty sakura sale salon samsclub samsung sandvik sandvikcoromant sanofi sap sarl sas save saxo sb sbi sbs sc scb schaeffler schmidt\
         scholarships school schule schwarz science scot sd se search seat secure security seek select sener services seven sew sex sexy\
         sfr sg sh shangrila sharp shell shia shiksha shoes shop shopping shouji show si silk sina singles site sj sk ski skin sky skype\
         sl sling sm smart smile sn sncf so soccer social softbank software sohu solar solutions song sony soy spa space sport spot sr s\
        rl ss st stada staples star statebank statefarm stc stcgroup stockholm storage store stream studio study style su sucks supplies\
         supply support surf surgery suzuki sv swatch swiss sx sy sydney systems sz tab taipei talk taobao target tatamotors tatar tatto\
        o tax taxi tc tci td tdk team tech technology tel temasek tennis teva tf tg th thd theater theatre tiaa tickets tienda tips tire\
        s tirol tj tjmaxx tjx tk tkmaxx tl tm tmall tn to today tokyo tools top toray toshiba total tours town toyota toys tr trade trad\
        ing training travel travelers travelersinsurance trust trv tt tube tui tunes tushu tv tvs tw tz ua ubank ubs ug uk unicom univer\
        sity uno uol ups us uy uz va vacations vana vanguard vc ve vegas ventures verisign versicherung vet vg vi viajes video vig vikin\
        g villas vin vip virgin visa vision viva vivo vlaanderen vn vodka volvo vote voting voto voyage vu wales walmart walter wang wan\
        ggou watch watches weather weatherchannel web webcam weber website wed wedding weibo weir wf whoswho wien wiki williamhill win w\
        indows wine winners wme woodside work works world wow ws wtc wtf xbox xerox xihuan xin xn--11b4c3d xn--1ck2e1b xn--1qqw23a xn--2\
        scrj9c xn--30rr7y xn--3bst00m xn--3ds443g xn--3e0b707e xn--3hcrj9c xn--3pxu8k xn--42c2d9a xn--45br5cyl xn--45brj9c xn--45q11c xn\
        --4dbrk0ce xn--4gbrim xn--54b7fta0cc xn--55qw42g xn--55qx5d xn--5su34j936bgsg xn--5tzm5g xn--6frz82g xn--6qq986b3xl xn--80adxhks\
         xn--80ao21a xn--80aqecdr1a xn--80asehdb xn--80aswg xn--8y0a063a xn--90a3ac xn--90ae xn--90ais xn--9dbq2a xn--9et52u xn--9krt00a\
         xn--b4w605ferd xn--bck1b9a5dre4c xn--c1avg xn--c2br7g xn--cck2b3b xn--cckwcxetd xn--cg4bki xn--clchc0ea0b2g2a9gcd xn--czr694b x\
        n--czrs0t xn--czru2d xn--d1acj3b xn--d1alf xn--e1a4c xn--eckvdtc9d xn--efvy88h xn--fct429k xn--fhbei xn--fiq228c5hs xn--fiq64b x\
        n--fiqs8s xn--fiqz9s xn--fjq720a xn--flw351e xn--fpcrj9c3d xn--fzc2c9e2c xn--fzys8d69uvgm xn--g2xx48c xn--gckr3f0f xn--gecrj9c x\
        n--gk3at1e xn--h2breg3eve xn--h2brj9c xn--h2brj9c8c xn--hxt814e xn--i1b6b1a6a2e xn--imr513n xn--io0a7i xn--j1aef xn--j1amh xn--j\
        6w193g xn--jlq480n2rg xn--jvr189m xn--kcrx77d1x4a xn--kprw13d xn--kpry57d xn--kput3i xn--l1acc xn--lgbbat1ad8j xn--mgb2ddes xn--\
        mgb9awbf xn--mgba3a3ejt xn--mgba3a4f16a xn--mgba3a4fra xn--mgba7c0bbn0a xn--mgbaam7a8h xn--mgbab2bd xn--mgbah1a3hjkrd xn--mgbai9\
        a5eva00b xn--mgbai9azgqp6j xn--mgbayh7gpa xn--mgbbh1a xn--mgbbh1a71e xn--mgbc0a9azcg xn--mgbca7dzdo xn--mgbcpq6gpa1a xn--mgberp4\
        a5d4a87g xn--mgberp4a5d4ar xn--mgbgu82a xn--mgbi4ecexp xn--mgbpl2fh xn--mgbqly7c0a67fbc xn--mgbqly7cvafr xn--mgbt3dhd xn--mgbtf8\
        fl xn--mgbtx2b xn--mgbx4cd0ab xn--mix082f xn--mix891f xn--mk1bu44c xn--mxtq1m xn--ngbc5azd xn--ngbe9e0a xn--ngbrx xn--nnx388a xn\
        --node xn--nqv7f xn--nqv7fs00ema xn--nyqy26a xn--o3cw4h xn--ogbpf8fl xn--otu796d xn--p1acf xn--p1ai xn--pgbs0dh xn--pssy2u xn--q\
        7ce6a xn--q9jyb4c xn--qcka1pmc xn--qxa6a xn--qxam xn--rhqv96g xn--rovu88b xn--rvc1e0am3e xn--s9brj9c xn--ses554g xn--t60b56a xn-\
        -tckwe xn--tiq49xqyj xn--unup4y xn--vermgensberater-ctb xn--vermgensberatung-pwb xn--vhquv xn--vuq861b xn--w4r85el8fhu5dnra xn--\
        w4rs40l xn--wgbh1c xn--wgbl6a xn--xhq521b xn--xkc2al3hye2a xn--xkc2dl3a5ee0h xn--y9a3aq xn--yfro4i67o xn--ygbi2ammx xn--zfr164b \
        xxx xyz yachts yahoo yamaxun yandex ye yodobashi yoga yokohama you youtube yt yun zappos zara zero zip zm zone zuerich zw\n001.t\
        est.code-builder-stg.platform.salesforce.com *\n0e.vc *\n0emm.com *\naa.crm.dev *\naa.no gs\nab.crm.dev *\nac com drr edu feedba\
        ck forms gov mil net org sch\nac.at sth\nac.crm.dev *\nacademy official\naccesspoint.s3-global.amazonaws.com mrap\nad.crm.dev *\
        \naddr.tools dyn\nadvisor.ws *\nae ac co gov mil net org sch\nae.crm.dev *\nae.flow.ch alp1\naero accident-investigation acciden\
        t-prevention aerobatic aeroclub aerodrome agents air-surveillance air-traffic-control aircraft airline airport airtraffic ambula\
        nce association author ballooning broker caa cargo catering certification championship charter civilaviation club conference con\
        sultant consulting control council crew design dgca educator emergency engine engineer entertainment equipment exchange express \
        federation flight freight fuel gliding government groundhandling group hanggliding homebuilt insurance journal journalist leasin\
        g logistics magazine maintenance marketplace media microlight modelling navigation parachuting paragliding passenger-association\
         pilot press production recreation repbody res research rotorcraft safety scientist services show skydiving software student tax\
        i trader trading trainer union workinggroup works\naf com edu gov net org\naf-south-1.airflow.amazonaws.com *\naf-south-1.amazon\
        aws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\naf-south-1.ama\
        zoncognito.com auth\naf-south-1.on.aws lambda-url transfer-webapp\naf-south-1.rds.amazonaws.com *\naf-south-1.sagemaker.aws note\
        book studio\naf.crm.dev *\nag co com net nom obj org\nah.no gs\nai com framer kiloapps net off org uwu\naichi.jp aisai ama anjo \
        asuke chiryu chita fuso gamagori handa hazu hekinan higashiura ichinomiya inazawa inuyama isshiki iwakura kanie kariya kasugai k\
        ira kiyosu komaki konan kota mihama miyoshi nishio nisshin obu oguchi oharu okazaki owariasahi seto shikatsu shinshiro shitara t\
        ahara takahama tobishima toei togo tokai tokoname toyoake toyohashi toyokawa toyone toyota tsushima yatomi\nairflow.af-south-1.o\
        n.aws *\nairflow.ap-east-1.on.aws *\nairflow.ap-northeast-1.on.aws *\nairflow.ap-northeast-2.on.aws *\nairflow.ap-northeast-3.on\
        .aws *\nairflow.ap-south-1.on.aws *\nairflow.ap-south-2.on.aws *\nairflow.ap-southeast-1.on.aws *\nairflow.ap-southeast-2.on.aws\
         *\nairflow.ap-southeast-3.on.aws *\nairflow.ap-southeast-4.on.aws *\nairflow.ap-southeast-5.on.aws *\nairflow.ap-southeast-7.on\
        .aws *\nairflow.ca-central-1.on.aws *\nairflow.ca-west-1.on.aws *\nairflow.cn-north-1.on.amazonwebservices.com.cn *\nairflow.cn-\
        northwest-1.on.amazonwebservices.com.cn *\nairflow.eu-central-1.on.aws *\nairflow.eu-central-2.on.aws *\nairflow.eu-north-1.on.a\
        ws *\nairflow.eu-south-1.on.aws *\nairflow.eu-south-2.on.aws *\nairflow.eu-west-1.on.aws *\nairflow.eu-west-2.on.aws *\nairflow.\
        eu-west-3.on.aws *\nairflow.il-central-1.on.aws *\nairflow.me-central-1.on.aws *\nairflow.me-south-1.on.aws *\nairflow.sa-east-1\
        .on.aws *\nairflow.us-east-1.on.aws *\nairflow.us-east-2.on.aws *\nairflow.us-west-1.on.aws *\nairflow.us-west-2.on.aws *\naiven\
        cloud.com *\nak.us cc k12 lib\nakershus.no nes\nakita.jp akita daisen fujisato gojome hachirogata happou higashinaruse honjo hon\
        jyo ikawa kamikoani kamioka katagami kazuno kitaakita kosaka kyowa misato mitane moriyoshi nikaho noshiro odate oga ogata sembok\
        u yokote yurihonjo\nal com edu gov mil net org\nal.us cc k12 lib\nalces.network *\nam co com commune net org radio\namazonaws.co\
        m s3 s3-1 s3-ap-east-1 s3-ap-northeast-1 s3-ap-northeast-2 s3-ap-northeast-3 s3-ap-south-1 s3-ap-southeast-1 s3-ap-southeast-2 s\
        3-ca-central-1 s3-eu-central-1 s3-eu-north-1 s3-eu-west-1 s3-eu-west-2 s3-eu-west-3 s3-external-1 s3-fips-us-gov-east-1 s3-fips-\
        us-gov-west-1 s3-me-south-1 s3-sa-east-1 s3-us-east-2 s3-us-gov-east-1 s3-us-gov-west-1 s3-us-west-1 s3-us-west-2 s3-website-ap-\
        northeast-1 s3-website-ap-southeast-1 s3-website-ap-southeast-2 s3-website-eu-west-1 s3-website-sa-east-1 s3-website-us-east-1 s\
        3-website-us-gov-west-1 s3-website-us-west-1 s3-website-us-west-2 us-east-1\nao co ed edu gov gv it og org pb\naomori.jp aomori \
        gonohe hachinohe hashikami hiranai hirosaki itayanagi kuroishi misawa mutsu nakadomari noheji oirase owani rokunohe sannohe shic\
        hinohe shingo takko towada tsugaru tsuruta\nap-east-1.airflow.amazonaws.com *\nap-east-1.amazonaws.com emrappui-prod emrnotebook\
        s-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-east-1.amazoncognito.com auth\nap-east-1.cs.\
        amazonlightsail.com *\nap-east-1.on.aws lambda-url transfer-webapp\nap-east-1.rds.amazonaws.com *\nap-east-1.sagemaker.aws noteb\
        ook studio\nap-east-2.amazoncognito.com auth\nap-east-2.on.aws transfer-webapp\nap-east-2.rds.amazonaws.com *\nap-north-1.r.clou\
        d.int.apple *\nap-northeast-1.airflow.amazonaws.com *\nap-northeast-1.amazonaws.com analytics-gateway emrappui-prod emrnotebooks\
        -prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-northeast-1.amazoncognito.com auth\nap-northe\
        ast-1.cs.amazonlightsail.com *\nap-northeast-1.on.aws lambda-url transfer-webapp\nap-northeast-1.rds.amazonaws.com *\nap-northea\
        st-1.sagemaker.aws labeling notebook studio\nap-northeast-2.airflow.amazonaws.com *\nap-northeast-2.amazonaws.com analytics-gate\
        way emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-northeast-2.ama\
        zoncognito.com auth\nap-northeast-2.cs.amazonlightsail.com *\nap-northeast-2.on.aws lambda-url transfer-webapp\nap-northeast-2.r\
        ds.amazonaws.com *\nap-northeast-2.sagemaker.aws labeling notebook studio\nap-northeast-3.airflow.amazonaws.com *\nap-northeast-\
        3.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-nor\
        theast-3.amazoncognito.com auth\nap-northeast-3.on.aws lambda-url transfer-webapp\nap-northeast-3.rds.amazonaws.com *\nap-northe\
        ast-3.sagemaker.aws notebook studio\nap-south-1.airflow.amazonaws.com *\nap-south-1.amazonaws.com analytics-gateway emrappui-pro\
        d emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-south-1.amazoncognito.com auth\
        \nap-south-1.cs.amazonlightsail.com *\nap-south-1.on.aws lambda-url transfer-webapp\nap-south-1.r.cloud.int.apple *\nap-south-1.\
        rds.amazonaws.com *\nap-south-1.sagemaker.aws labeling notebook studio\nap-south-2.airflow.amazonaws.com *\nap-south-2.amazonaws\
        .com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-south-2.amazon\
        cognito.com auth\nap-south-2.on.aws transfer-webapp\nap-south-2.r.cloud.int.apple *\nap-south-2.rds.amazonaws.com *\nap-south-2.\
        sagemaker.aws notebook\nap-southeast-1.airflow.amazonaws.com *\nap-southeast-1.amazonaws.com analytics-gateway emrappui-prod emr\
        notebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-southeast-1.amazoncognito.com auth\n\
        ap-southeast-1.cs.amazonlightsail.com *\nap-southeast-1.on.aws lambda-url transfer-webapp\nap-southeast-1.rds.amazonaws.com *\na\
        p-southeast-1.sagemaker.aws labeling notebook studio\nap-southeast-2.airflow.amazonaws.com *\nap-southeast-2.amazonaws.com analy\
        tics-gateway emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nap-southe\
        ast-2.amazoncognito.com auth\nap-southeast-2.cs.amazonlightsail.com *\nap-southeast-2.on.aws lambda-url transfer-webapp\nap-sout\
        heast-2.rds.amazonaws.com *\nap-southeast-2.sagemaker.aws labeling notebook studio\nap-southeast-3.airflow.amazonaws.com *\nap-s\
        outheast-3.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-websit\
        e\nap-southeast-3.amazoncognito.com auth\nap-southeast-3.cs.amazonlightsail.com *\nap-southeast-3.on.aws lambda-url transfer-web\
        app\nap-southeast-3.rds.amazonaws.com *\nap-southeast-3.sagemaker.aws notebook studio\nap-southeast-4.airflow.amazonaws.com *\na\
        p-southeast-4.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-web\
        site\nap-southeast-4.amazoncognito.com auth\nap-southeast-4.on.aws transfer-webapp\nap-southeast-4.rds.amazonaws.com *\nap-south\
        east-4.sagemaker.aws notebook\nap-southeast-5.airflow.amazonaws.com *\nap-southeast-5.amazonaws.com execute-api s3 s3-accesspoin\
        t s3-deprecated s3-object-lambda s3-website\nap-southeast-5.amazoncognito.com auth\nap-southeast-5.cs.amazonlightsail.com *\nap-\
        southeast-5.on.aws transfer-webapp\nap-southeast-5.rds.amazonaws.com *\nap-southeast-6.amazoncognito.com auth\nap-southeast-6.on\
        .aws transfer-webapp\nap-southeast-6.rds.amazonaws.com *\nap-southeast-7.airflow.amazonaws.com *\nap-southeast-7.amazoncognito.c\
        om auth\nap-southeast-7.on.aws transfer-webapp\nap-southeast-7.rds.amazonaws.com *\napp aiven base44 botdash brave claude clerk \
        clerkstage cloudflare codepen convex corespeed csb e2b easypanel edgecompute encr expo flutterflow framer gadget github glideos \
        hackclub hasura leapcell loginline lovable luyani magicpatterns medusajs messerli miren mocha netlify ngrok ngrok-free noop nyat\
         on-fleek ondigitalocean onhercules pplx puter replit retool rocketpreview shiptoday spawnbase sprites streamlit telebit typedre\
        am vercel wal wasmer web windsurf wnext zeabur\napple int\nappwrite.run *\nar bet com coop edu gob gov int mil musica mutual net\
         org seg senasa tur\nar.us cc k12 lib\narpa e164 home in-addr ip6 iris uri urn\nas gov\nas.us cc k12 lib\naseinet.ne.jp user\nas\
        ia cloudns daemon dix\nat 123webseite 12hp 2ix 4 4lima ac co dnshome futurehosting futuremailing gv lima-city my myspreadshop or\
         priv\nat.playit.plus *\nat.ply.gg *\natlassian-3p-us-gov-mod.com *\natlassian-3p.com *\natlassian-isolated-3p.com *\nau act asn\
         com conf edu gov id net nsw nt org oz qld sa tas vic wa\nauiusercontent.com *\naw com\nawdev.ca *\naws-cloud9.af-south-1.amazon\
        aws.com webview-assets\naws-cloud9.ap-east-1.amazonaws.com webview-assets\naws-cloud9.ap-northeast-1.amazonaws.com webview-asset\
        s\naws-cloud9.ap-northeast-2.amazonaws.com webview-assets\naws-cloud9.ap-northeast-3.amazonaws.com webview-assets\naws-cloud9.ap\
        -south-1.amazonaws.com webview-assets\naws-cloud9.ap-southeast-1.amazonaws.com webview-assets\naws-cloud9.ap-southeast-2.amazona\
        ws.com webview-assets\naws-cloud9.ca-central-1.amazonaws.com webview-assets\naws-cloud9.eu-central-1.amazonaws.com webview-asset\
        s\naws-cloud9.eu-north-1.amazonaws.com webview-assets\naws-cloud9.eu-south-1.amazonaws.com webview-assets\naws-cloud9.eu-west-1.\
        amazonaws.com webview-assets\naws-cloud9.eu-west-2.amazonaws.com webview-assets\naws-cloud9.eu-west-3.amazonaws.com webview-asse\
        ts\naws-cloud9.il-central-1.amazonaws.com webview-assets\naws-cloud9.me-south-1.amazonaws.com webview-assets\naws-cloud9.sa-east\
        -1.amazonaws.com webview-assets\naws-cloud9.us-east-1.amazonaws.com webview-assets\naws-cloud9.us-east-2.amazonaws.com webview-a\
        ssets\naws-cloud9.us-west-1.amazonaws.com webview-assets\naws-cloud9.us-west-2.amazonaws.com webview-assets\nawsapprunner.com *\
        \naxarnet.cloud es-1\naz biz co com edu gov info int mil name net org pp pro\naz.us cc k12 lib\nazure.databricksapps.com *\nazur\
        econtainer.io *\nazurestaticapps.net 1 2 3 4 5 6 7 centralus eastasia eastus2 westeurope westus2\nazurewebsites.net australiacen\
        tral-01 australiacentral2-01 australiaeast-01 australiasoutheast-01 austriaeast-01 belgiumcentral-01 brazilsouth-01 brazilsouthe\
        ast-01 canadacentral-01 canadaeast-01 centralindia-01 centralus-01 centraluseuap-01 chilecentral-01 denmarkeast-01 eastasia-01 e\
        astasiastage-01 eastus-01 eastus2-01 eastus2euap-01 eastus3-01 francecentral-01 francesouth-01 germanynorth-01 germanywestcentra\
        l-01 indiasouthcentral-01 indonesiacentral-01 israelcentral-01 israelnorthwest-01 italynorth-01 japaneast-01 japanwest-01 jioind\
        iacentral-01 jioindiawest-01 koreacentral-01 koreasouth-01 malaysiawest-01 mexicocentral-01 newzealandnorth-01 northcentralus-01\
         northcentralusstage-01 northeastus5-01 northeurope-01 norwayeast-01 norwaywest-01 polandcentral-01 qatarcentral-01 southafrican\
        orth-01 southafricawest-01 southcentralus-01 southcentralus2-01 southeastasia-01 southeastus5-01 southindia-01 spaincentral-01 s\
        wedencentral-01 swedensouth-01 switzerlandnorth-01 switzerlandwest-01 taiwannorth-01 taiwannorthwest-01 uaecentral-01 uaenorth-0\
        1 uksouth-01 ukwest-01 westcentralus-01 westeurope-01 westindia-01 westus-01 westus2-01 westus3-01\nba com edu gov mil net org r\
        s\nbar resolve\nbaremetal.scw.cloud fr-par-1 fr-par-2 nl-ams-1\nbasketball aus nz\nbb biz co com edu gov info net org store tv\n\
        bd ac ai co com edu gov id info it mil net org sch tv\nbe 123website ac cloudns my myspreadshop webhosting\nbedrock-agentcore.ap\
        -northeast-1.amazonaws.com consent-portal\nbedrock-agentcore.ap-northeast-2.amazonaws.com consent-portal\nbedrock-agentcore.ap-s\
        outh-1.amazonaws.com consent-portal\nbedrock-agentcore.ap-south-2.amazonaws.com consent-portal\nbedrock-agentcore.ap-southeast-1\
        .amazonaws.com consent-portal\nbedrock-agentcore.ap-southeast-2.amazonaws.com consent-portal\nbedrock-agentcore.ap-southeast-5.a\
        mazonaws.com consent-portal\nbedrock-agentcore.ap-southeast-7.amazonaws.com consent-portal\nbedrock-agentcore.ca-central-1.amazo\
        naws.com consent-portal\nbedrock-agentcore.eu-central-1.amazonaws.com consent-portal\nbedrock-agentcore.eu-north-1.amazonaws.com\
         consent-portal\nbedrock-agentcore.eu-south-1.amazonaws.com consent-portal\nbedrock-agentcore.eu-south-2.amazonaws.com consent-p\
        ortal\nbedrock-agentcore.eu-west-1.amazonaws.com consent-portal\nbedrock-agentcore.eu-west-2.amazonaws.com consent-portal\nbedro\
        ck-agentcore.eu-west-3.amazonaws.com consent-portal\nbedrock-agentcore.sa-east-1.amazonaws.com consent-portal\nbedrock-agentcore\
        .us-east-1.amazonaws.com consent-portal\nbedrock-agentcore.us-east-2.amazonaws.com consent-portal\nbedrock-agentcore.us-gov-west\
        -1.amazonaws.com consent-portal\nbedrock-agentcore.us-west-1.amazonaws.com consent-portal\nbedrock-agentcore.us-west-2.amazonaws\
        .com consent-portal\nbeebyte.io paas\nbeebyteapp.io sekd1\nbeget.app *\nbegetcdn.cloud *\nberlin ddns\nbf gov\nbg 0 1 2 3 4 5 6 \
        7 8 9 a b barsy c d e f g h i j k l m n o p q r s t u v w x y z\nbh com edu gov net org\nbi co com edu or org\nbiz activetrail c\
        loud-ip cloudns dscloud dyndns for-better for-more for-some for-the jozi mmafan myftp no-ip orx selfip webhop\nbiz.ng co dl go l\
        g on\nbj africa agro architectes assur avocats co com eco econo edu info loisirs money net org ote restaurant resto tourism univ\
        \nbm com edu gov net org\nbn co com edu gov net org\nbo academia agro arte blog bolivia ciencia com cooperativa democracia depor\
        te ecologia economia edu empresa gob ia indigena industria info int medicina mil movimiento musica natural net nombre noticias o\
        rg patria plurinacional politica profesional pueblo revista salud tecnologia tksat transporte tv web wiki\nbr 9guacu abc adm adv\
         agr aju am anani aparecida api app arq art ato b barueri belem bet bhz bib bio blog bmd boavista bsb campinagrande campinas cax\
        ias cim cng cnt com contagem coop coz cri cuiaba curitiba def des det dev ecn eco edu emp enf eng esp etc eti far feira flog flo\
        ripa fm fnd fortal fot foz fst g12 geo ggf goiania gov gru ia imb ind inf jab jampa jdf joinville jor jus leg leilao lel log lon\
        drina macapa maceio manaus maringa mat med mil morena mp mus natal net niteroi not ntr odo ong org osasco palmas poa ppg pro psc\
         psi pvh qsl radio rec recife rep ribeirao rio riobranco riopreto salvador sampa santamaria santoandre saobernardo saogonca seg \
        sjc slg slz social sorocaba srv taxi tc tche tec teo the tmp trd tur tv udi vet vix vlog wiki xyz zlg\nbrendly.ba shop\nbrendly.\
        hr shop\nbrendly.rs shop\nbs com edu gov net org we\nbt com edu gov net org\nbu.no gs\nbubble.io cdn\nbuild shiptoday v0 windsur\
        f\nbuild.run *\nbuilder.code.com *\nbuilders cloudsite\nbuiltwithrocket.new *\nbusiness co\nbuskerud.no nes\nbw ac co gov net or\
        g\nbwcloud-os-instance.de *\nby com gov mediatech mil of\nbz co com edu gov gsj mydns net org za\nc.ts.net *\nca ab barsy bc box\
         co gc mb myspreadshop nb nf nl no-ip ns nt nu on onid pe qc sk yk\nca-central-1.airflow.amazonaws.com *\nca-central-1.amazonaws\
        .com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-object-lambda s\
        3-website\nca-central-1.amazoncognito.com auth\nca-central-1.cs.amazonlightsail.com *\nca-central-1.on.aws lambda-url transfer-w\
        ebapp\nca-central-1.rds.amazonaws.com *\nca-central-1.sagemaker.aws labeling notebook notebook-fips studio\nca-west-1.airflow.am\
        azonaws.com *\nca-west-1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-accesspoi\
        nt-fips s3-fips s3-object-lambda s3-website\nca-west-1.amazoncognito.com auth\nca-west-1.on.aws transfer-webapp\nca-west-1.rds.a\
        mazonaws.com *\nca-west-1.sagemaker.aws notebook notebook-fips\nca.us cc k12 lib\ncanva.site my\ncanvasite.cn my\ncase sav\ncc c\
        cwu cleverapps cloud-ip cloudns csx ec eu fantasyleague ftpaccess game-server gu myphotos scrapping sryze twmail uk us\ncd cc go\
        v\ncdn77.net r\ncdn77.org c rsc\nch 123website 12hp 2ix 4lima cloudns dnsking gotdns lima-city linkyard-cloud myspreadshop squar\
        e7\nchannelsdvr.net u\nchiba.jp abiko asahi chonan chosei choshi chuo funabashi futtsu hanamigawa ichihara ichikawa ichinomiya i\
        nzai isumi kamagaya kamogawa kashiwa katori katsuura kimitsu kisarazu kozaki kujukuri kyonan matsudo midori mihama minamiboso mo\
        bara mutsuzawa nagara nagareyama narashino narita noda oamishirasato omigawa onjuku otaki sakae sakura shimofusa shirako shiroi \
        shisui sodegaura sosa tako tateyama togane tohnosho tomisato urayasu yachimata yachiyo yokaichiba yokoshibahikari yotsukaido\nci\
         ac asso co com ed edu go gouv int net or org us xn--aroport-bya\nci.crm.dev *\nck !www *\ncl cloudns co gob gov mil\nclaudeuser\
        content.com frame\ncldmail.ru hb\ncloud antagonist convex diadem dnshome elementor emergent hstgr jele jote jotelulu keliweb kul\
        euven laravel linkyard matlab observablehq online-server oxa primetel ravendb servebolt trafficplex unison-services urown vapor \
        voorloper zap\ncloud.int.apple *\ncloud.metacentrum.cz *\ncloud.muni.cz flt usr\ncloud.nospamproxy.com o365\ncloud9.af-south-1.a\
        mazonaws.com vfs webview-assets\ncloud9.ap-east-1.amazonaws.com vfs webview-assets\ncloud9.ap-northeast-1.amazonaws.com vfs webv\
        iew-assets\ncloud9.ap-northeast-2.amazonaws.com vfs webview-assets\ncloud9.ap-northeast-3.amazonaws.com vfs webview-assets\nclou\
        d9.ap-south-1.amazonaws.com vfs webview-assets\ncloud9.ap-southeast-1.amazonaws.com vfs webview-assets\ncloud9.ap-southeast-2.am\
        azonaws.com vfs webview-assets\ncloud9.ca-central-1.amazonaws.com vfs webview-assets\ncloud9.eu-central-1.amazonaws.com vfs webv\
        iew-assets\ncloud9.eu-north-1.amazonaws.com vfs webview-assets\ncloud9.eu-south-1.amazonaws.com vfs webview-assets\ncloud9.eu-we\
        st-1.amazonaws.com vfs webview-assets\ncloud9.eu-west-2.amazonaws.com vfs webview-assets\ncloud9.eu-west-3.amazonaws.com vfs web\
        view-assets\ncloud9.il-central-1.amazonaws.com vfs\ncloud9.me-south-1.amazonaws.com vfs webview-assets\ncloud9.sa-east-1.amazona\
        ws.com vfs webview-assets\ncloud9.us-east-1.amazonaws.com vfs webview-assets\ncloud9.us-east-2.amazonaws.com vfs webview-assets\
        \ncloud9.us-west-1.amazonaws.com vfs webview-assets\ncloud9.us-west-2.amazonaws.com vfs webview-assets\ncloudera.site *\ncloudfl\
        are.net cdn\ncloudflareanycast.net cdn\ncloudflarecn.net cdn\ncloudflareglobal.net cdn\ncloudjiffy.net fra1-de west1-us\ncloudle\
        ts.com.au mel\ncloudplatform.fi fi\ncloudscale.ch cust\nclub barsy cloudns jele\nclusters.rdpa.co *\ncm co com gov net\ncn ac ah\
         bj canva-apps canva-code com cq edu fj gd gov gs gx gz ha hb he hi hk hl hn jl js jx khsj ln mil mo myqnapcloud net nm nx org q\
        h sc sd sh sn sx tj tw xj xn--55qx5d xn--io0a7i xn--od0alg xz yn zj\ncn-north-1.airflow.amazonaws.com.cn *\ncn-north-1.amazonaws\
        .com.cn emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-deprecated s3-object-lambda s3-website\n\
        cn-north-1.on.amazonwebservices.com.cn transfer-webapp\ncn-north-1.sagemaker.com.cn notebook studio\ncn-northwest-1.airflow.amaz\
        onaws.com.cn *\ncn-northwest-1.amazonaws.com.cn emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-\
        object-lambda s3-website\ncn-northwest-1.on.amazonwebservices.com.cn transfer-webapp\ncn-northwest-1.sagemaker.com.cn notebook s\
        tudio\ncn.st *\nco carrd com crd edu firewalledreplit gov hidns leadpages lpages mil mypi net nom org repl supabase umso\nco.il \
        mytabit ravpage tabitorder\nco.im ltd plc\nco.uk adimo barsy barsyonline myspreadshop nh-serv no-ip\nco.us cc k12 lib\ncode.run \
        *\ncognito-idp.eusc-de-east-1.on.amazonwebservices.eu auth\ncom 180r 1cooldns 1kapp 3utilities 4u a2hosted abrdns adobeaemcloud \
        africa alibabacloudcs amazonlightsail amplifyapp appchizi applinzi apps-1and1 appspacehosted appspaceusercontent appspot atmeta \
        authgear-staging authgearapps awsapps awsglobalaccelerator balena-devices barsycenter barsyonline base44-sandbox blogdns blogspo\
        t blogsyte boutir bplaced br builtwithdark bumbleshrimp cafjs canva-apps canva-hosted-embed canvacode cdn77-storage cechire cf-i\
        pfs ciscofreak claudeusercontent cloudflare-ipfs cn co codespot cprapid cpserver damnserver dattolocal dattorelay dattoweb ddnsf\
        ree ddnsgeek ddnsguru ddnsking de deployagent deus-canvas discordsays discordsez ditchyourip dnsabr dnsalias dnsdojo dnsiskinky \
        doesntexist dojin dontexist doomdns dopaas drayddns dreamhosters drive-platform dsmynas durumis dyn-o-saur dynalias dyndns-at-ho\
        me dyndns-at-work dyndns-blog dyndns-free dyndns-home dyndns-ip dyndns-mail dyndns-office dyndns-pics dyndns-remote dyndns-serve\
        r dyndns-web dyndns-wiki dyndns-work dynns dynuddns dynuhosting elasticbeanstalk encoreapi est-a-la-maison est-a-la-masion est-l\
        e-patron est-mon-blogueur eu eu1-plenit familyds fastly-edge fastly-terrarium fastvps-server firebaseapp firewall-gateway fldrv \
        forgeblocks framercanvas freebox-os freeboxos freemyip from-ak from-al from-ar from-ca from-ct from-dc from-de from-fl from-ga f\
        rom-hi from-ia from-id from-il from-in from-ks from-ky from-ma from-md from-mi from-mn from-mo from-ms from-mt from-nc from-nd f\
        rom-ne from-nh from-nj from-nm from-nv from-oh from-ok from-or from-pa from-pr from-ri from-sc from-sd from-tn from-tx from-ut f\
        rom-va from-vt from-wa from-wi from-wv from-wy geekgalaxy gentapps gentlentapis getmyip giize githubusercontent gleeze googleapi\
        s googlecode gotdns gotpantheon gr grayjayleagues hatenablog hatenadiary health-carereform hercules-app hercules-dev herokuapp h\
        k hobby-site homelinux homesecuritymac homesecuritypc homeunix hosted-by-files hostedpi hotelwithflight iamallama ip-ddns is-a-a\
        narchist is-a-blogger is-a-bookkeeper is-a-bulls-fan is-a-caterer is-a-chef is-a-conservative is-a-cpa is-a-cubicle-slave is-a-d\
        emocrat is-a-designer is-a-doctor is-a-financialadvisor is-a-geek is-a-green is-a-guru is-a-hard-worker is-a-hunter is-a-landsca\
        per is-a-lawyer is-a-liberal is-a-libertarian is-a-llama is-a-musician is-a-nascarfan is-a-nurse is-a-painter is-a-personaltrain\
        er is-a-photographer is-a-player is-a-republican is-a-rockstar is-a-socialist is-a-student is-a-teacher is-a-techie is-a-therapi\
        st is-an-accountant is-an-actor is-an-actress is-an-anarchist is-an-artist is-an-engineer is-an-entertainer is-certified is-gone\
         is-into-anime is-into-cars is-into-cartoons is-into-games is-leet is-not-certified is-slick is-uberleet is-with-theband isa-gee\
        k isa-hockeynut issmarterthanyou it jdevcloud jpn kasserver kozow la1-plenit ladesk likes-pie likescandy live-website localtonet\
         logoip loseyourip lovableproject lpusercontent magicpatternsapp messwithdns meteorapp mex miniserver mochausercontent modelscap\
        e mwcloudnonprod myactivedirectory myasustor mycloudnas mydatto mydbserver mydobiss myiphost mynascloud myqnapcloud mysecurityca\
        mera myshopblocks myshopify myspreadshop mytabit mytuleap myvnc neat-url net-freaks nfshost on-aptible on-forge on-vapor onrende\
        r onthewifi ooguy operaunite orsites outsystemscloud ownprovider pagespeedmobilizer pgfog pivohosting pixolino playstation-cloud\
         pleskns point2this polyspace postman-echo pythonanywhere qa2 qbuser qualifioapp quicksytes rackmaze readthedocs-hosted remotewd\
         reservd rhcloud rice-labs routingthecloud ru sa sakuratan sakuraweb same-app same-preview saves-the-whales scrysec securitytact\
        ics selfip sells-for-less sells-for-u servebbs servebeer servecounterstrike serveexchange serveftp servegame servehalflife serve\
        http servehumour serveirc servemp3 servep2p servepics servequake servesarcasm shopitsite siiites simple-url simplesite sinaapp s\
        mushcdn space-to-rent stackhero-network strapiapp streak-link streaklinks streakusercontent streamlitapp stufftoread subsc-pay t\
        aveusercontent teaches-yoga temp-dns theworkpc thingdustdata townnews-staging try-snowplow trycloudflare tuleap-partners uk unus\
        ualperson upsunapp us us1-plenit vipsinaapp vivenushop w-corp-staticblitz w-credentialless-staticblitz w-staticblitz wafflecell \
        webadorsite webspace-host wiredbladehosting withgoogle withyoutube wixsite wixstudio woltlab-demo workisboring wpdevcloud wpengi\
        nepowered wphostedmail wpmucdn writesthisblog x0 xtooldevice yolasite za\ncom.au myspreadshop\ncom.br simplesite\ncom.tw mymaile\
        r\ncommunity myforum nog ravendb\ncompany mybox\ncompute-1.amazonaws.com *\ncompute.amazonaws.com *\ncompute.amazonaws.com.cn *\
        \ncompute.estate *\ncompute.herokuapp.com *\ncontentproxy9.cz rsc\nconvex.cloud eu-west-1 us-east-1\nconvex.site eu-west-1 us-ea\
        st-1\ncool de elementor\ncore.usgovcloudapi.net blob file web\ncore.windows.net blob file web\ncosidns.de dyn\ncr ac co ed fi go\
         or sa\ncsb.app preview\nct.us cc k12 lib\ncu com edu gob inf nat net org\ncursorusercontent.com *\ncustomer-oci.com *\ncv com d\
        ev edu id int net nome org publ store\ncw com edu net org\ncx assessments ath calculators cloudns funnels gov info paynow quizze\
        s researched tests\ncy ac biz com ekloges gov ltd mil net org press pro tm\ncz co e4 gov realm\nd.crm.dev *\ndappnode.io dyndns\
        \ndatabase.run *\ndatabricksapps.com aws gcp\ndatabricksapps.us aws-gov\ndatadetect.com demo instance\ndc.us cc k12 lib\nddnss.d\
        e dyn dyndns\nde 123webseite 12hp 2ix 4lima barsy bplaced co com community-pro ddnss ddnssec diskussionsbereich dnshome dnsupdat\
        er dyn-berlin dyn-ip24 dynamisches-dns dyndns1 dyndnssec firewall-gateway fuettertdasnetz git-repos goip heimdns home-webserver \
        home64 in-berlin in-brb in-butter in-dsl in-vpn internet-dns ipv64 iservschule isteingeek istmein keymachine l-o-g-i-n lcube-ser\
        ver lebtimnetz leitungsen lima-city logoip mein-iserv my my-gateway my-router myhome-server myspreadshop rub ruhr-uni-bochum sch\
        uldock schulplattform schulserver spdns square7 srvdns svn-repos taifun-dns test-iserv traeumtgerade virtual-user virtualuser we\
        bspaceconfig xn--gnstigbestellen-zvb xn--gnstigliefern-wob\nde.object.ncloudstorage.com s3-website\nde.us cc\ndeno.net sandbox\n\
        design bss graphic\ndev barsy bearblog botdash brave codepen deno deno-staging erp fly githubpreview grebedoc hrsn is-a is-a-ful\
        lstack is-a-good is-cool is-not-a iserv leapcell localplayer loginline lp mediatech mocha-sandbox modx myaddr ngrok ngrok-free p\
        ages panel payload platter-app r2 runcontainers vercel vivenushop workers xmit\ndev-builder.code.com *\ndev.adobeaemcloud.com *\
        \ndev.thingdust.io cust reservd\ndeveloper.app *\ndevinapps.com *\ndigitaloceanspaces.com *\ndirect libp2p\ndisrec.thingdust.io \
        cust reservd\ndiy discourse imagine\ndk 123hjemmeside biz co firm myspreadshop reg store\ndm co com edu gov net org\ndo art com \
        edu gob gov mil net org sld web\ndogado.eu jelastic\ndualstack.af-south-1.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.\
        ap-east-1.amazonaws.com s3 s3-accesspoint\ndualstack.ap-northeast-1.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.ap-nor\
        theast-2.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.ap-northeast-3.amazonaws.com s3 s3-accesspoint s3-website\ndualst\
        ack.ap-south-1.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.ap-south-2.amazonaws.com s3 s3-accesspoint s3-website\ndual\
        stack.ap-southeast-1.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.ap-southeast-2.amazonaws.com s3 s3-accesspoint s3-web\
        site\ndualstack.ap-southeast-3.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.ap-southeast-4.amazonaws.com s3 s3-accesspo\
        int s3-website\ndualstack.ap-southeast-5.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.ca-central-1.amazonaws.com s3 s3-\
        accesspoint s3-accesspoint-fips s3-fips s3-website\ndualstack.ca-west-1.amazonaws.com s3 s3-accesspoint s3-accesspoint-fips s3-f\
        ips s3-website\ndualstack.cn-north-1.amazonaws.com.cn s3 s3-accesspoint s3-website\ndualstack.cn-northwest-1.amazonaws.com.cn s3\
         s3-accesspoint\ndualstack.eu-central-1.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.eu-central-2.amazonaws.com s3 s3-a\
        ccesspoint s3-website\ndualstack.eu-north-1.amazonaws.com s3 s3-accesspoint\ndualstack.eu-south-1.amazonaws.com s3 s3-accesspoin\
        t s3-website\ndualstack.eu-south-2.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.eu-west-1.amazonaws.com s3 s3-accesspoi\
        nt s3-website\ndualstack.eu-west-2.amazonaws.com s3 s3-accesspoint\ndualstack.eu-west-3.amazonaws.com s3 s3-accesspoint s3-websi\
        te\ndualstack.il-central-1.amazonaws.com s3 s3-accesspoint s3-website\ndualstack.me-central-1.amazonaws.com s3 s3-accesspoint s3\
        -website\ndualstack.me-south-1.amazonaws.com s3 s3-accesspoint\ndualstack.sa-east-1.amazonaws.com s3 s3-accesspoint s3-website\n\
        dualstack.us-east-1.amazonaws.com s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-website\ndualstack.us-east-2.amazonaws.com s3\
         s3-accesspoint s3-accesspoint-fips s3-fips s3-website\ndualstack.us-gov-east-1.amazonaws.com s3 s3-accesspoint s3-accesspoint-f\
        ips s3-fips s3-website\ndualstack.us-gov-west-1.amazonaws.com s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-website\ndualstac\
        k.us-west-1.amazonaws.com s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-website\ndualstack.us-west-2.amazonaws.com s3 s3-acce\
        sspoint s3-accesspoint-fips s3-fips s3-website\ndweb.link *\ndyndns.org go home\ndz art asso com edu gov net org pol soc tm\neb.\
        amazonaws.com.cn cn-north-1 cn-northwest-1\nec abg adm agron arqt art bar base chef com cont cpa cue dent dgn disco doc edu eng \
        esm fin fot gal gob gov gye ibr info k12 lat loj med mil mktg mon net ntr odont official org pro prof psic psiq pub rio rrpp sal\
         tech tul tur uio vet xxx\nedu.au act catholic nsw nt qld sa tas vic wa\neducation co\nee aip com edu fie gov lib med org pri ri\
        ik\neg ac com edu eun gov info me mil name net org sci sport tv\nehime.jp ainan honai ikata imabari iyo kamijima kihoku kumakoge\
        n masaki matsuno matsuyama namikata niihama ozu saijo seiyo shikokuchuo tobe toon uchiko uwajima yawatahama\nelasticbeanstalk.co\
        m af-south-1 ap-east-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-south\
        east-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7 ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 e\
        u-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3 il-central-1 me-central-1 me-south-1 sa-east-1 us-east-1 us-east-2 us-gov-eas\
        t-1 us-gov-west-1 us-west-1 us-west-2\nelastx.net jls-sto1 jls-sto2 jls-sto3\nelb.amazonaws.com *\nelb.amazonaws.com.cn *\nemail\
         intouch\nemergentagent.com preview\nemf.camp at\nencoway.cloud eu\nencr.app frontend\nenscaled.us phx\ner *\nerp.dev web\nes 12\
        3miweb com edu gob myspreadshop nom org\net biz com edu gov info name net org\neth.limo *\neth.link *\neu barsy cloudns deuxfleu\
        rs directwp dnshome prvw spdns\neu-central-1.airflow.amazonaws.com *\neu-central-1.amazonaws.com analytics-gateway emrappui-prod\
         emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\neu-central-1.amazoncognito.com auth\
        \neu-central-1.cs.amazonlightsail.com *\neu-central-1.on.aws lambda-url transfer-webapp\neu-central-1.r.cloud.int.apple *\neu-ce\
        ntral-1.rds.amazonaws.com *\neu-central-1.sagemaker.aws labeling notebook studio\neu-central-2.airflow.amazonaws.com *\neu-centr\
        al-2.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\neu-\
        central-2.amazoncognito.com auth\neu-central-2.on.aws transfer-webapp\neu-central-2.rds.amazonaws.com *\neu-central-2.sagemaker.\
        aws notebook studio\neu-north-1.airflow.amazonaws.com *\neu-north-1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod\
         execute-api s3 s3-accesspoint s3-object-lambda s3-website\neu-north-1.amazoncognito.com auth\neu-north-1.cs.amazonlightsail.com\
         *\neu-north-1.on.aws lambda-url transfer-webapp\neu-north-1.r.cloud.int.apple *\neu-north-1.sagemaker.aws notebook studio\neu-s\
        outh-1.airflow.amazonaws.com *\neu-south-1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-access\
        point s3-object-lambda s3-website\neu-south-1.amazoncognito.com auth\neu-south-1.on.aws lambda-url transfer-webapp\neu-south-1.s\
        agemaker.aws notebook studio\neu-south-2.airflow.amazonaws.com *\neu-south-2.amazonaws.com emrappui-prod emrnotebooks-prod emrst\
        udio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\neu-south-2.amazoncognito.com auth\neu-south-2.cs.amazonligh\
        tsail.com *\neu-south-2.on.aws transfer-webapp\neu-south-2.sagemaker.aws notebook studio\neu-west-1.airflow.amazonaws.com *\neu-\
        west-1.amazonaws.com analytics-gateway emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-deprecate\
        d s3-object-lambda s3-website\neu-west-1.amazoncognito.com auth\neu-west-1.cs.amazonlightsail.com *\neu-west-1.on.aws lambda-url\
         transfer-webapp\neu-west-1.rds.amazonaws.com *\neu-west-1.sagemaker.aws labeling notebook studio\neu-west-2.airflow.amazonaws.c\
        om *\neu-west-2.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-w\
        ebsite\neu-west-2.amazoncognito.com auth\neu-west-2.cs.amazonlightsail.com *\neu-west-2.on.aws lambda-url transfer-webapp\neu-we\
        st-2.rds.amazonaws.com *\neu-west-2.sagemaker.aws labeling notebook studio\neu-west-3.airflow.amazonaws.com *\neu-west-3.amazona\
        ws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\neu-west-3.amazo\
        ncognito.com auth\neu-west-3.cs.amazonlightsail.com *\neu-west-3.on.aws lambda-url transfer-webapp\neu-west-3.rds.amazonaws.com \
        *\neu-west-3.sagemaker.aws notebook studio\neu.org al asso at au be bg ca cd ch cn cy cz de dk edu ee es fi fr gr hr hu ie il in\
         int is it jp kr lt lu lv me mk mt my net ng nl no nz pl pt ro ru se si sk tr uk us\neur.aruba.jenv-aruba.cloud it1\neusc-de-eas\
        t-1.on.amazonwebservices.eu transfer-webapp\nevennode.com eu-1 eu-2 eu-3 eu-4 us-1 us-2 us-3 us-4\nevents co koobin\nevervault.a\
        pp relay\nevervault.dev relay\newp.live *\nex.futurecms.at *\nex.ortsinfo.at *\nexperiments.sagemaker.aws *\nexpo.app on staging\
        \nfan mkm\nfastly.net freetls map\nfastlylb.net map\nfbsbx.com apps\nfedoraproject.org cloud\nfi 123kotisivu aland dy iki kapsi \
        myspreadshop xn--hkkinen-5wa\nfinancial co\nfirenet.ch *\nfirewalledreplit.co id\nfj ac biz com edu gov id info mil name net org\
         pro\nfk *\nfl.us cc k12 lib\nflow.ch appengine\nfm com edu net org radio\nfm.no gs\nfnc.fr-par.scw.cloud functions\nforgerock.i\
        o id\nfr 123siteweb aeroport asso avocat avoues cci chambagri chirurgiens-dentistes chirurgiens-dentistes-en-france com dedibox \
        experts-comptables fbx-os fbxos freebox-os freeboxos goupile gouv greta huissier-justice kdns medecin myspreadshop nom notaires \
        on-web pharmacien port prd tm veterinaire ynh\nfr-par.scw.cloud cockpit ddl dtwh fnc ifr k8s kafk mgdb rdb s3 s3-website scbl wh\
        m\nfrusky.de *\nfukui.jp echizen eiheiji fukui ikeda katsuyama mihama minamiechizen obama ohi ono sabae sakai takahama tsuruga w\
        akasa\nfukuoka.jp ashiya buzen chikugo chikuho chikujo chikushino chikuzen chuo dazaifu fukuchi hakata higashi hirokawa hisayama\
         iizuka inatsuki kaho kasuga kasuya kawara keisen koga kurate kurogi kurume minami miyako miyama miyawaka mizumaki munakata naka\
        gawa nakama nishi nogata ogori okagaki okawa oki omuta onga onojo oto saigawa sasaguri shingu shinyoshitomi shonai soeda sue tac\
        hiarai tagawa takata toho toyotsu tsuiki ukiha umi usui yamada yame yanagawa yukuhashi\nfukushima.jp aizubange aizumisato aizuwa\
        kamatsu asakawa bandai date fukushima furudono futaba hanawa higashi hirata hirono iitate inawashiro ishikawa iwaki izumizaki ka\
        gamiishi kaneyama kawamata kitakata kitashiobara koori koriyama kunimi miharu mishima namie nango nishiaizu nishigo okuma omoteg\
        o ono otama samegawa shimogo shirakawa showa soma sukagawa taishin tamakawa tanagura tenei yabuki yamato yamatsuri yanaizu yugaw\
        a\nfun ms vicp yicp zicp\nfunkfeuer.at wien\nfuturecms.at *\nga.us cc k12 lib\ngames pley sheezy\ngateway.dev *\ngay pages\ngd e\
        du gov\ngdn cnpy\nge com cyb edu gov llc net online org pvt school tnx\ngg botdash co kaas net org panel stackit\ngh biz com edu\
         gov mil net org\ngi com edu gov ltd mod org\ngifu.jp anpachi ena gifu ginan godo gujo hashima hichiso hida higashishirakawa ibi\
        gawa ikeda kakamigahara kani kasahara kasamatsu kawaue kitagata mino minokamo mitake mizunami motosu nakatsugawa ogaki sakahogi \
        seki sekigahara shirakawa tajimi takayama tarui toki tomika wanouchi yamagata yaotsu yoro\ngl co com edu net org\nglobal appwrit\
        e\ngn ac com edu gov net org\ngoog cloud translate\ngov-ncloudstorage.com kr kr-private\ngov.au qld sa tas vic wa\ngov.br ac al \
        am ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to\ngov.pl ap griw ic is kmpsp konsulat kppsp kwp kwpsp \
        mup mw oia oirm oke oow oschr oum pa pinb piw po pr psp psse pup rzgw sa sdn sko so sr starostwo ug ugim um umig upow uppo us uw\
         uzs wif wiih winb wios witd wiw wkz wsa wskr wsse wuoz wzmiuw zp zpisdn\ngov.scot service\ngov.uk api campaign service\ngp asso\
         com edu mobi net org\ngr barsy com edu gov net org simplesite\ngroup discourse\ngt com edu gob ind mil net org\ngu com edu gov \
        guam info net org web\ngu.us cc k12 lib\ngunma.jp annaka chiyoda fujioka higashiagatsuma isesaki itakura kanna kanra katashina k\
        awaba kiryu kusatsu maebashi meiwa midori minakami naganohara nakanojo nanmoku numata oizumi ora ota shibukawa shimonita shinto \
        showa takasaki takayama tamamura tatebayashi tomioka tsukiyono tsumagoi ueno yoshioka\ngv.vc d\ngw nx\ngy co com edu gov net org\
        \nhealth hra\nhedmark.no os valer xn--vler-qoa\nher.name forgot\nhf.space static\nhi.us cc lib\nhiroshima.jp asaminami daiwa eta\
        jima fuchu fukuyama hatsukaichi higashihiroshima hongo jinsekikogen kaita kui kumano kure mihara miyoshi naka onomichi osakikami\
        jima otake saka sera seranishi shinichi shobara takehara\nhis.name forgot\nhk com edu gov idv inc ltd net org xn--55qx5d xn--ciq\
        pn xn--gmq050i xn--gmqw5a xn--io0a7i xn--lcvr32d xn--mk0axi xn--mxtq1m xn--od0alg xn--od0aq3b xn--tn0ag xn--uc0atv xn--uc0ay4a x\
        n--wcvs22d xn--zf0avx\nhl.no gs\nhm.no gs\nhn com edu gob mil net org\nhokkaido.jp abashiri abira aibetsu akabira akkeshi asahik\
        awa ashibetsu ashoro assabu atsuma bibai biei bifuka bihoro biratori chippubetsu chitose date ebetsu embetsu eniwa erimo esan es\
        ashi fukagawa fukushima furano furubira haboro hakodate hamatonbetsu hidaka higashikagura higashikawa hiroo hokuryu hokuto honbe\
        tsu horokanai horonobe ikeda imakane ishikari iwamizawa iwanai kamifurano kamikawa kamishihoro kamisunagawa kamoenai kayabe kemb\
        uchi kikonai kimobetsu kitahiroshima kitami kiyosato koshimizu kunneppu kuriyama kuromatsunai kushiro kutchan kyowa mashike mats\
        umae mikasa minamifurano mombetsu moseushi mukawa muroran naie nakagawa nakasatsunai nakatombetsu nanae nanporo nayoro nemuro ni\
        ikappu niki nishiokoppe noboribetsu numata obihiro obira oketo okoppe otaru otobe otofuke otoineppu oumu ozora pippu rankoshi re\
        bun rikubetsu rishiri rishirifuji saroma sarufutsu shakotan shari shibecha shibetsu shikabe shikaoi shimamaki shimizu shimokawa \
        shinshinotsu shintoku shiranuka shiraoi shiriuchi sobetsu sunagawa taiki takasu takikawa takinoue teshikaga tobetsu tohma tomako\
        mai tomari toya toyako toyotomi toyoura tsubetsu tsukigata urakawa urausu uryu utashinai wakkanai wassamu yakumo yoichi\nhome-we\
        bserver.de dyn\nhooc.me seprox\nhordaland.no os\nhost bolt cloudaccess easypanel emergent fastvps freesite gadget half iserv jel\
        e mircloud myfast tempurl wp2 wpmudev\nhosted-by-previder.com paas\nhosted.app *\nhosteur.com rag-cloud rag-cloud-ch\nhosting op\
        encraft\nhosting-cluster.nl site\nhosting.myjino.ru *\nhosting.ovh.net *\nhr com from iz name\nhrsn.net vps\nht adult art asso c\
        om coop edu firm gouv info med net org perso pol pro rel rt shop\nhu 2000 agrar bolt casino city co erotica erotika film forum g\
        ames hotel info ingatlan jogasz konyvelo lakas media news org priv reklam sex shop sport suli szex tm tozsde utazas video\nhyogo\
        .jp aioi akashi ako amagasaki aogaki asago ashiya awaji fukusaki goshiki harima himeji ichikawa inagawa itami kakogawa kamigori \
        kamikawa kasai kasuga kawanishi miki minamiawaji nishinomiya nishiwaki ono sanda sannan sasayama sayo shingu shinonsen shiso sum\
        oto taishi taka takarazuka takasago takino tamba tatsuno toyooka yabu yashiro yoka yokawa\nia.us cc k12 lib\nibaraki.jp ami asah\
        i bando chikusei daigo fujishiro hitachi hitachinaka hitachiomiya hitachiota ibaraki ina inashiki itako iwama joso kamisu kasama\
         kashima kasumigaura koga miho mito moriya naka namegata oarai ogawa omitama ryugasaki sakai sakuragawa shimodate shimotsuma shi\
        rosato sowa suifu takahagi tamatsukuri tokai tomobe tone toride tsuchiura tsukuba uchihara ushiku yachiyo yamagata yawara yuki\n\
        icp.net *\nid ac ai biz co desa e go kop mil my net or ponpes sch web xn--9tfky zone\nid.pub *\nid.us cc k12 lib\nie gov mysprea\
        dshop\nik-server.com jcloud jcloud-ver-jpc\nil ac co gov idf k12 muni net org\nil-central-1.airflow.amazonaws.com *\nil-central-\
        1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nil-cen\
        tral-1.amazoncognito.com auth\nil-central-1.on.aws transfer-webapp\nil-central-1.rds.amazonaws.com *\nil-central-1.sagemaker.aws\
         notebook studio\nil.us cc k12 lib\nim ac co com net org tt tv\nin 5g 6g ac aero ai alumni am bank barsy bihar biz business ca c\
        loudns cn co com coop cs delhi dr edu er fin firm gen gov gujarat ind indevs info int internet io me mil net nic org pg post pro\
         res school supabase travel tv ub uk up us web\nin.futurecms.at *\nin.us cc k12 lib\ninbrowser.dev *\ninbrowser.link *\ninfo bar\
        rel-of-knowledge barrell-of-knowledge barsy cloudns dnsupdate dvrcam dynamic-dns dyndns for-our forumz groks-the groks-this here\
        -for-more ilovecollege knowsitall mayfirst mittwald mittwaldserver no-ip nsupdate selfip typo3server v-info webhop\ninstances.sc\
        w.cloud priv pub\nint eu\ninterhostsolutions.be cloud\nio 2038 apigee b-data barsy basicserver beagleboard bitbucket bluebite bo\
        xfuse brave browsersafetymark bubbleapps cleverapps cloudbeesusercontent co com darklang dedyn definima drive-platform editorx e\
        du edugit fh-muenster gitbook github gitlab gov hasura-app hostyhosting hypernode icp0 icp1 jele keenetic kiloapps loginline lol\
        ipop mil mo-siemens musician myaddr myrdbx net ngrok nom org pantheonsite pstmn qcx qoto qzz readthedocs resindevice sandcats te\
        lebit tickets utwente vaporcloud virtualserver webflow webflowtest webthings wixstudio\niq com edu gov mil net org\nir ac arvane\
        dge co gov id net org sch vistablog xn--mgba3a4f16a xn--mgba3a4fra\nishikawa.jp anamizu hakui hakusan kaga kahoku kanazawa kawak\
        ita komatsu nakanoto nanao nomi nonoichi noto shika suzu tsubata tsurugi uchinada wajima\nisk01.sakurastorage.jp s3\nisk02.sakur\
        astorage.jp s3\nit 123homepage 16-b 32-b 64-b abr abruzzo ag agrigento al alessandria alto-adige altoadige an ancona andria-barl\
        etta-trani andria-trani-barletta andriabarlettatrani andriatranibarletta ao aosta aosta-valley aostavalley aoste ap aq ar arezzo\
         ascoli-piceno ascolipiceno asti at av avellino ba balsan balsan-sudtirol balsan-suedtirol bari barletta-trani-andria barlettatr\
        aniandria bas basilicata belluno benevento bergamo bg bi biella bl bn bo bologna bolzano bolzano-altoadige bozen bozen-sudtirol \
        bozen-suedtirol br brescia brindisi bs bt bulsan bulsan-sudtirol bulsan-suedtirol bz ca cagliari cal calabria caltanissetta cam \
        campania campidano-medio campidanomedio campobasso carbonia-iglesias carboniaiglesias carrara-massa carraramassa caserta catania\
         catanzaro cb ce cesena-forli cesenaforli ch chieti ci cl cn co como cosenza cr cremona crotone cs ct cuneo cz dell-ogliastra de\
        llogliastra dnshome edu emilia-romagna emiliaromagna emr en enna fc fe fermo ferrara fg fi firenze florence fm foggia forli-cese\
        na forlicesena fr friuli-v-giulia friuli-ve-giulia friuli-vegiulia friuli-venezia-giulia friuli-veneziagiulia friuli-vgiulia fri\
        uliv-giulia friulive-giulia friulivegiulia friulivenezia-giulia friuliveneziagiulia friulivgiulia frosinone fvg ge genoa genova \
        go gorizia gov gr grosseto ibxos iglesias-carbonia iglesiascarbonia iliadboxos im imperia is isernia kr la-spezia laquila laspez\
        ia latina laz lazio lc le lecce lecco li lig liguria livorno lo lodi lom lombardia lombardy lt lu lucania lucca macerata mantova\
         mar marche massa-carrara massacarrara matera mb mc me medio-campidano mediocampidano messina mi milan milano mn mo modena mol m\
        olise monza monza-brianza monza-e-della-brianza monzabrianza monzaebrianza monzaedellabrianza ms mt myspreadshop na naples napol\
        i no novara nu nuoro og ogliastra olbia-tempio olbiatempio or oristano ot pa padova padua palermo parma pavia pc pd pe perugia p\
        esaro-urbino pesarourbino pescara pg pi piacenza piedmont piemonte pisa pistoia pmn pn po pordenone potenza pr prato pt pu pug p\
        uglia pv pz ra ragusa ravenna rc re reggio-calabria reggio-emilia reggiocalabria reggioemilia rg ri rieti rimini rm rn ro roma r\
        ome rovigo sa salerno sar sardegna sardinia sassari savona si sic sicilia sicily siena siracusa so sondrio sp sr ss su sud-sarde\
        gna sudsardegna suedtirol sv syncloud ta taa taranto te tempio-olbia tempioolbia teramo terni tn to torino tos toscana tp tr tra\
        ni-andria-barletta trani-barletta-andria traniandriabarletta tranibarlettaandria trapani trentin-sud-tirol trentin-sudtirol tren\
        tin-sued-tirol trentin-suedtirol trentino trentino-a-adige trentino-aadige trentino-alto-adige trentino-altoadige trentino-s-tir\
        ol trentino-stirol trentino-sud-tirol trentino-sudtirol trentino-sued-tirol trentino-suedtirol trentinoa-adige trentinoaadige tr\
        entinoalto-adige trentinoaltoadige trentinos-tirol trentinostirol trentinosud-tirol trentinosued-tirol trentinosuedtirol trentin\
        sud-tirol trentinsudtirol trentinsued-tirol trentinsuedtirol trento treviso trieste ts turin tuscany tv ud udine umb umbria urbi\
        no-pesaro urbinopesaro va val-d-aosta val-daosta vald-aosta valle-aosta valle-d-aosta valle-daosta valleaosta valled-aosta valle\
        daosta vallee-aoste vallee-d-aoste valleeaoste valleedaoste vao varese vb vc vda ve ven veneto venezia venice verbania verbano-c\
        usio-ossola vercelli verona vi vibo-valentia vibovalentia vicenza viterbo vr vs vt vv xn--balsan-sdtirol-nsb xn--bozen-sdtirol-2\
        ob xn--bulsan-sdtirol-nsb xn--cesena-forl-mcb xn--cesenaforl-i8a xn--forl-cesena-fcb xn--forlcesena-c8a xn--sdtirol-n2a xn--tren\
        tin-sd-tirol-rzb xn--trentin-sdtirol-7vb xn--trentino-sd-tirol-c3b xn--trentino-sdtirol-szb xn--trentinosd-tirol-rzb xn--trentin\
        osdtirol-7vb xn--trentinsd-tirol-6vb xn--trentinsdtirol-nsb xn--valle-aoste-ebb xn--valle-d-aoste-ehb xn--valleaoste-e7a xn--val\
        ledaoste-ebb\nit.hs-heilbronn.de pages pages-research\niwate.jp fudai fujisawa hanamaki hiraizumi hirono ichinohe ichinoseki iwa\
        izumi iwate joboji kamaishi kanegasaki karumai kawai kitakami kuji kunohe kuzumaki miyako mizusawa morioka ninohe noda ofunato o\
        shu otsuchi rikuzentakata shiwa shizukuishi sumita tanohata tono yahaba yamada\njan-mayen.no gs\nje co net of org\njelastic.clou\
        d vip\njelastic.com demo\njelastic.vps-host.net atl njs ric\njenv-aruba.cloud it1\njm *\njo agri ai com edu eng fm gov mil net o\
        rg per phd sch tv\njp 0am 0g0 0j0 0t0 2-d ac ad aichi akita angry aomori babyblue babymilk backdrop bambina bitter blush bona bo\
        o boy boyfriend but buyshop candypop capoo catfood cheap chiba chicappa chillout chips chowder chu ciao co cocotte coolblog cran\
        ky crap cutegirl daa daynight deca deci digick ed eek egoism ehime fakefur fashionstore fem flier flop floppy fool frenchkiss fu\
        kui fukuoka fukushima gifu girlfriend girly gloomy go gonna gr greater gunma hacca halfmoon handcrafted hateblo hatenablog haten\
        adiary heavy her hiho hippy hiroshima hokkaido holy hungry hyogo ibaraki icurus ishikawa itigo iwate jeez jellybean kagawa kagos\
        hima kanagawa kawaiishop kikirara kill kilo kochi kumamoto kuron kyoto lg littlestar lolipopmc lolitapunk lomo lovepop lovesick \
        main matrix mie mimoza miyagi miyazaki mods mond mongolian moo mydns nagano nagasaki namaste nara ne netgamers niigata nikita no\
        bushi noor nyanta o0o0 oita okayama okinawa oops or osaka parallel parasite pecori peewee penne pepper perma pgw pigboat pinoko \
        punyu pupu pussycat pya raindrop rdy readymade rgr rulez sadist saga saitama saloon sblo schoolbus secret shiga shimane shizuoka\
         skr staba stripper sub sunnyday supersale tank theshop thick tochigi tokushima tokyo tonkotsu tottori toyama uh-oh under undo u\
        pper usercontent velvet verse versus vivian wakayama watson weblike websozai whitesnow wjg xii xn--0trq7p7nn xn--1ctwo xn--1lqs0\
        3n xn--1lqs71d xn--2m4a15e xn--32vp30h xn--4it168d xn--4it797k xn--4pvxs xn--5js045d xn--5rtp49c xn--5rtq34k xn--6btw5a xn--6orx\
        2r xn--7t0a264c xn--8ltr62k xn--8pvr4u xn--c3s14m xn--d5qv7z876c xn--djrs72d6uy xn--djty4k xn--efvn9s xn--ehqz56n xn--elqq16h xn\
        --f6qx53a xn--k7yn95e xn--kbrq7o xn--klt787d xn--kltp7d xn--kltx9a xn--klty5x xn--mkru45i xn--nit225k xn--ntso0iqx3a xn--ntsq17g\
         xn--pssu33l xn--qqqt11m xn--rht27z xn--rht3d xn--rht61e xn--rny31h xn--tor131o xn--uist22h xn--uisz3g xn--uuwu58a xn--vgu402c x\
        n--zbx025d yamagata yamaguchi yamanashi zombie\njp4.object.ncpstorage.com jp\njp4.object.private.ncpstorage.com jp\njp5.object.n\
        cpstorage.com jp\njp5.object.private.ncpstorage.com jp\nk12.ma.us chtr paroch pvt\nk2.cloud elastic s3 website\nk8s.fr-par.scw.c\
        loud nodes\nk8s.nl-ams.scw.cloud nodes\nk8s.pl-waw.scw.cloud nodes\nkagawa.jp ayagawa higashikagawa kanonji kotohira manno marug\
        ame mitoyo naoshima sanuki tadotsu takamatsu tonosho uchinomi utazu zentsuji\nkagoshima.jp akune amami hioki isa isen izumi kago\
        shima kanoya kawanabe kinko kouyama makurazaki matsumoto minamitane nakatane nishinoomote satsumasendai soo tarumizu yusui\nkana\
        gawa.jp aikawa atsugi ayase chigasaki ebina fujisawa hadano hakone hiratsuka isehara kaisei kamakura kiyokawa matsuda minamiashi\
        gara miura nakai ninomiya odawara oi oiso sagamihara samukawa tsukui yamakita yamato yokosuka yugawara zama zushi\nkawasaki.jp !\
        city *\nke ac co go info me mobi ne or sc\nkeliweb.cloud cs\nkg ae com edu gov mil net org us xx\nkh com edu gov net org\nki biz\
         com edu gov info net org\nkin.one *\nkin.pub *\nkitakyushu.jp !city *\nkm ass asso com coop edu gouv gov medecin mil nom notair\
        es org pharmaciens prd presse tm veterinaire\nkn edu gov net org\nkobe.jp !city *\nkochi.jp aki geisei hidaka higashitsuno ino k\
        agami kami kitagawa kochi mihara motoyama muroto nahari nakamura nankoku nishitosa niyodogawa ochi okawa otoyo otsuki sakawa suk\
        umo susaki tosa tosashimizu toyo tsuno umaji yasuda yusuhara\nkp com edu gov org rep tra\nkr ac ai busan c01 chungbuk chungnam c\
        o daegu daejeon eliv-api eliv-cdn eliv-dns es gangwon go gwangju gyeongbuk gyeonggi gyeongnam hs incheon io it jeju jeonbuk jeon\
        nam kg me mil mmv ms ne or pe re sc seoul ulsan vki\nkr.object.fin-ncloudstorage.com s3-website\nkr.object.gov-ncloudstorage.com\
         s3-website\nkr.object.ncloudstorage.com s3-website\nkrd co edu\nkrs.object.gov-ncloudstorage.com s3-website\nks.us cc k12 lib\n\
        kuleuven.be ezproxy\nkumamoto.jp amakusa arao aso choyo gyokuto kamiamakusa kikuchi kumamoto mashiki mifune minamata minamioguni\
         nagasu nishihara oguni ozu sumoto takamori uki uto yamaga yamato yatsushiro\nkunden.ortsinfo.at *\nkw com edu emb gov ind net o\
        rg\nky com edu net org\nky.us cc k12 lib\nkyoto.jp ayabe fukuchiyama higashiyama ide ine joyo kameoka kamo kita kizu kumiyama ky\
        otamba kyotanabe kyotango maizuru minami minamiyamashiro miyazu muko nagaokakyo nakagyo nantan oyamazaki sakyo seika tanabe uji \
        ujitawara wazuka yamashina yawata\nkz com edu gov jcloud mil net org\nla bnr com edu gov info int net org per\nla.us cc k12 lib\
        \nlair.io apps\nlanding.myjino.ru *\nlayershift.co.uk j\nlb com edu gov net org\nlc co com edu gov net org oy\nlcl.dev *\nlclsta\
        ge.dev *\nleg.br ac al am ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to\nliara.run iran\nlink canva cy\
        on joinmc keenetic myfritz mypep\nlinode.com members\nlinodeobjects.com *\nlinodeusercontent.com ip\nlive aem hlx\nlk ac assn co\
        m edu gov grp hotel int ltd net ngo org sch soc web\nlocalto.net *\nlol omg\nlp.dev api objects\nlpg.cloudscale.ch objects\nlr c\
        om edu gov net org\nls ac biz co edu gov info net org sc\nlt gov\nlu 123website\nlutrausercontent.com *\nlv asn com conf edu gov\
         id mil net org\nly com edu gov id med net org plc sch\nma ac co gov net org press\nma.us cc k12 lib\nmagentosite.cloud *\nmassi\
        vegrid.com paas\nmc asso tm\nmcdir.ru vps\nmd ir\nmd.us cc k12 lib\nme ac barsy brasilia c66 co craft ddns diskstation dnsfor ds\
        cloud edgestack edu filegear filegear-sg gov grok hopto i234 its loginto lohmus mcdir mybox myds net nohost noip opencloud org p\
        riv soundcast synology tcp4 vp4 webhop\nme-central-1.airflow.amazonaws.com *\nme-central-1.amazonaws.com emrappui-prod emrnotebo\
        oks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\nme-central-1.amazoncognito.com auth\nme-centr\
        al-1.on.aws transfer-webapp\nme-central-1.rds.amazonaws.com *\nme-central-1.sagemaker.aws notebook studio\nme-south-1.airflow.am\
        azonaws.com *\nme-south-1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-l\
        ambda s3-website\nme-south-1.amazoncognito.com auth\nme-south-1.on.aws lambda-url transfer-webapp\nme-south-1.rds.amazonaws.com \
        *\nme-south-1.sagemaker.aws notebook studio\nme.us cc k12 lib\nmedia framer\nmenu barsy barsyonline\nmetaaiusercontent.com *\nme\
        tacentrum.cz custom\nmeteorapp.com eu\nmg co com edu gov mil nom org prd\nmi.us ann-arbor cc cog dst eaton gen k12 lib mus tec w\
        ashtenaw\nmie.jp asahi inabe ise kameyama kawagoe kiho kisosaki kiwa komono kumano kuwana matsusaka meiwa mihama minamiise misug\
        i miyama nabari shima suzuka tado taiki taki tamaki toba tsu udono ureshino watarai yokkaichi\nmigration.run *\nmiyagi.jp furuka\
        wa higashimatsushima ishinomaki iwanuma kakuda kami kawasaki marumori matsushima minamisanriku misato murata natori ogawara ohir\
        a onagawa osaki rifu semine shibata shichikashuku shikama shiogama shiroishi tagajo taiwa tome tomiya wakuya watari yamamoto zao\
        \nmiyazaki.jp aya ebino gokase hyuga kadogawa kawaminami kijo kitagawa kitakata kitaura kobayashi kunitomi kushima mimata miyako\
        nojo miyazaki morotsuka nichinan nishimera nobeoka saito shiiba shintomi takaharu takanabe takazaki tsuno\nmk com edu gov inf na\
        me net org\nml ac art asso com edu gouv gov info inst net org pr presse\nmm *\nmn edu gov nyc org\nmn.us cc k12 lib\nmo com edu \
        gov net org\nmo.us cc k12 lib\nmobi barsy dscloud\nmoonscale.io *\nmore-og-romsdal.no heroy sande\nmp ju\nmr gov\nmr.no gs\nms c\
        om edu gov minisite net org\nms.us cc k12\nmt com edu net org\nmt.us cc k12 lib\nmtls.run.app *\nmu ac co com gov net or org\nmv\
         aero biz com coop edu gov info int mil museum name net org pro\nmw ac biz co com coop edu gov int net org\nmx com edu gob net o\
        rg\nmx-central-1.amazoncognito.com auth\nmx-central-1.on.aws transfer-webapp\nmx-central-1.rds.amazonaws.com *\nmy biz com edu g\
        ov mil name net org\nmynetname.net sn\nmythic-beasts.com caracal customer fentiger lynx ocelot oncilla onza sphinx vs x yali\nmz\
         ac adv co edu gov mil net org\nna alt co com gov net org\nnabu.casa ui\nnagano.jp achi agematsu anan aoki asahi azumino chikuho\
        ku chikuma chino fujimi hakuba hara hiraya iida iijima iiyama iizuna ikeda ikusaka ina karuizawa kawakami kiso kisofukushima kit\
        aaiki komagane komoro matsukawa matsumoto miasa minamiaiki minamimaki minamiminowa minowa miyada miyota mochizuki nagano nagawa \
        nagiso nakagawa nakano nozawaonsen obuse ogawa okaya omachi omi ookuwa ooshika otaki otari sakae sakaki saku sakuho shimosuwa sh\
        inanomachi shiojiri suwa suzaka takagi takamori takayama tateshina tatsuno togakushi togura tomi ueda wada yamagata yamanouchi y\
        asaka yasuoka\nnagasaki.jp chijiwa futsu goto hasami hirado iki isahaya kawatana kuchinotsu matsuura nagasaki obama omura oseto \
        saikai sasebo seihi shimabara shinkamigoto togitsu tsushima unzen\nnagoya.jp !city *\nname ispmanager keenetic\nnara.jp ando gos\
        e heguri higashiyoshino ikaruga ikoma kamikitayama kanmaki kashiba kashihara katsuragi kawai kawakami kawanishi koryo kurotaki m\
        itsue miyake nara nosegawa oji ouda oyodo sakurai sango shimoichi shimokitayama shinjo soni takatori tawaramoto tenkawa tenri ud\
        a yamatokoriyama yamatotakada yamazoe yoshino\nnc asso nom\nnc.tr gov\nnc.us cc k12 lib\nncloudstorage.com kr kr-naver kr-naver-\
        dev kr-private\nne.jp gehirn ivory mail-box mints mokuren opal sakura sumomo topaz\nne.us cc k12 lib\nneen.it jc\nnet adobeaemcl\
        oud adobeio-static adobeioruntime akadns akamai akamai-staging akamaiedge akamaiedge-staging akamaihd akamaihd-staging akamaiori\
        gin akamaiorigin-staging akamaized akamaized-staging alwaysdata apps-1and1 appudo at-band-camp azure-api azure-mobile azureedge \
        azurefd azurestaticapps azurewebsites barsy blackbaudcdn blogdns boomla botdash bounceme bplaced broke-it buyshouses casacam cdn\
        -edges cdn77-ssl channelsdvr clickrising cloudaccess cloudapp cloudflare cloudfront cloudfunctions cloudjiffy cloudycluster comm\
        unity-pro ctfcloud dattolocal ddns ddns-ip de5 debian definima deno dns-cloud dns-dynamic dnsalias dnsdojo dnsup does-it dontexi\
        st dsmynas dynalias dynathome dynu dynuddns dynv6 eating-organic edgekey edgekey-staging edgesuite edgesuite-staging endofintern\
        et familyds fastlylb feste-ip firewall-gateway from-az from-co from-la from-ny gb gets-it ggff grafana-dev ham-radio-op heteml h\
        icam homeftp homeip homelinux homeunix hu in in-dsl in-the-band in-vpn iobb ipifony ipv64 is-a-chef is-a-geek isa-geek jp keywor\
        d-on kicks-ass kinghost knx-server krellian live-on localcert luyani mafelo meinforum memset moonscale myamaze mydatto mydissent\
         myeffect myfritz mymediapc mypsx myradweb mysecuritycamera myspreadshop mysynology nhlfan no-ip now-dns office-on-the oninferno\
         opik ownip pgafan podzone privatizehealthinsurance rackmaze redirectme reserve-online routingthecloud ru schokokeks scrapper-si\
        te se seidat selfip sells-it senseering servebbs serveblog serveftp serveminecraft server-on shopselect siteleaf spryt square7 s\
        quares static-access subsc-pay supabase sytes thruhere torproject trafficmanager ts tunnelmole twmail uk uni5 usgovcloudapp usgo\
        vtrafficmanager vpndns vps-host vusercontent webhop yandexcloud za zabc\nnetwork aem appwrite arvo azimuth co tlon\nnews noticea\
        ble\nnf arts com firm info net other per rec store web\nnftstorage.link ipfs\nng biz col com edu firm gen gov i ltd mil mobi nam\
        e net ngo org plc sch\nngrok.io ap au eu in jp sa us\nnh.us cc k12 lib\nni ac biz co com edu gob in info int mil net nom org web\
        \nniigata.jp aga agano gosen itoigawa izumozaki joetsu kamo kariwa kashiwazaki minamiuonuma mitsuke muika murakami myoko nagaoka\
         niigata ojiya omi sado sanjo seiro seirou sekikawa shibata tagami tainai tochio tokamachi tsubame tsunan uonuma yahiko yoita yu\
        zawa\nnj.us cc k12 lib\nnl 123website cistron co demon gov hosting-cluster khplay myspreadshop\nnl-ams.scw.cloud cockpit ddl dtw\
        h ifr k8s kafk mgdb rdb s3 s3-website scbl whm\nnl.no gs\nnm.us cc k12 lib\nno 123hjemmeside aa aarborte aejrie afjord agdenes a\
        h aknoluokta akrehamn al alaheadju alesund algard alstahaug alta alvdal amli amot andasuolo andebu andoy ardal aremark arendal a\
        rna aseral asker askim askoy askvoll asnes audnedal aukra aure aurland aurskog-holand austevoll austrheim averoy badaddja bahcav\
        uotna bahccavuotna baidar bajddar balat balestrand ballangen balsfjord bamble bardu barum batsfjord bearalvahki beardu beiarn be\
        rg bergen berlevag bievat bindal birkenes bjerkreim bjugn bodo bokn bomlo bremanger bronnoy bronnoysund brumunddal bryne bu bude\
        jju bygland bykle cahcesuolo co davvenjarga davvesiida deatnu dep dielddanuorri divtasvuodna divttasvuotna donna dovre drammen d\
        rangedal drobak dyroy egersund eid eidfjord eidsberg eidskog eidsvoll eigersund elverum enebakk engerdal etne etnedal evenassi e\
        venes evje-og-hornnes farsund fauske fedje fet fetsund fhs finnoy fitjar fjaler fjell fla flakstad flatanger flekkefjord flesber\
        g flora floro fm folkebibl folldal forde forsand fosnes frana fredrikstad frogn froland frosta froya fuoisku fuossko fusa fylkes\
        bibl fyresdal gaivuotna galsa gamvik gangaviika gaular gausdal giehtavuoatna gielda gildeskal giske gjemnes gjerdrum gjerstad gj\
        esdal gjovik gloppen gol gran grane granvin gratangen grimstad grong grue gulen guovdageaidnu ha habmer hadsel hagebostad halden\
         halsa hamar hamaroy hammarfeasta hammerfest hapmir haram hareid harstad hasvik hattfjelldal haugesund hemne hemnes hemsedal her\
        ad hitra hjartdal hjelmeland hl hm hobol hof hokksund hol hole holmestrand holtalen honefoss hornindal horten hoyanger hoylandet\
         hurdal hurum hvaler hyllestad ibestad idrett inderoy iveland ivgu jan-mayen jessheim jevnaker jolster jondal jorpeland kafjord \
        karasjohka karasjok karlsoy karmoy kautokeino kirkenes klabu klepp kommune kongsberg kongsvinger kopervik kraanghke kragero kris\
        tiansand kristiansund krodsherad krokstadelva kvafjord kvalsund kvam kvanangen kvinesdal kvinnherad kviteseid kvitsoy laakesvuem\
        ie lahppi langevag lardal larvik lavagis lavangen leangaviika lebesby leikanger leirfjord leirvik leka leksvik lenvik lerdal les\
        ja levanger lier lierne lillehammer lillesand lindas lindesnes loabat lodingen lom loppa lorenskog loten lund lunner luroy luste\
        r lyngdal lyngen malatvuopmi malselv malvik mandal marker marnardal masfjorden masoy matta-varjjat meland meldal melhus meloy me\
        raker midsund midtre-gauldal mil mjondalen mo-i-rana moareke modalen modum molde mosjoen moskenes moss mr muosat museum myspread\
        shop naamesjevuemie namdalseid namsos namsskogan nannestad naroy narviika narvik naustdal navuotna nedre-eiker nesna nesodden ne\
        soddtangen nesseby nesset nissedal nittedal nl nord-aurdal nord-fron nord-odal norddal nordkapp nordre-land nordreisa nore-og-uv\
        dal notodden notteroy nt odda of oksnes ol omasvuotna oppdal oppegard orkanger orkdal orland orskog orsta osen oslo osoyro oster\
        oy ostre-toten overhalla ovre-eiker oyer oygarden oystre-slidre porsanger porsangu porsgrunn priv rade radoy rahkkeravju raholt \
        raisa rakkestad ralingen rana randaberg rauma re rendalen rennebu rennesoy rindal ringebu ringerike ringsaker risor rissa rl roa\
        n rodoy rollag romsa romskog roros rost royken royrvik ruovat rygge salangen salat saltdal samnanger sandefjord sandnes sandness\
        joen sandoy sarpsborg sauda sauherad sel selbu selje seljord sf siellak sigdal siljan sirdal skanit skanland skaun skedsmo skeds\
        mokorset ski skien skierva skiptvet skjak skjervoy skodje slattum smola snaase snasa snillfjord snoasa sogndal sogne sokndal sol\
        a solund somna sondre-land songdalen sor-aurdal sor-fron sor-odal sor-varanger sorfold sorreisa sortland sorum spjelkavik spydeb\
        erg st stange stat stathelle stavanger stavern steigen steinkjer stjordal stjordalshalsen stokke stor-elvdal stord stordal storf\
        jord strand stranda stryn sula suldal sund sunndal suohkan surnadal svalbard sveio svelvik sykkylven tana tananger time tingvoll\
         tinn tjeldsund tjielte tjome tm tokke tolga tonsberg torsken tr trana tranby tranoy troandin trogstad tromsa tromso trondheim t\
        rysil tvedestrand tydal tynset tysfjord tysnes tysvar uenorge ullensaker ullensvang ulstein ulvik unjarga utsira va vaapste vads\
        o vaga vagan vagsoy vaksdal valle vang vanylven vardo varggat varoy vefsn vega vegarshei vennesla verdal verran vestby vestnes v\
        estre-slidre vestre-toten vestvagoy vevelstad vf vgs vik vikna vindafjord voagat volda voss vossevangen xn--andy-ira xn--asky-ir\
        a xn--aurskog-hland-jnb xn--avery-yua xn--bdddj-mrabd xn--bearalvhki-y4a xn--berlevg-jxa xn--bhcavuotna-s4a xn--bhccavuotna-k7a \
        xn--bidr-5nac xn--bievt-0qa xn--bjddar-pta xn--blt-elab xn--bmlo-gra xn--bod-2na xn--brnny-wuac xn--brnnysund-m8ac xn--brum-voa \
        xn--btsfjord-9za xn--davvenjrga-y4a xn--dnna-gra xn--drbak-wua xn--dyry-ira xn--eveni-0qa01ga xn--finny-yua xn--fjord-lra xn--fl\
        -zia xn--flor-jra xn--frde-gra xn--frna-woa xn--frya-hra xn--ggaviika-8ya47h xn--gildeskl-g0a xn--givuotna-8ya xn--gjvik-wua xn-\
        -gls-elac xn--h-2fa xn--hamary-fya xn--hbmer-xqa xn--hcesuolo-7ya35b xn--hgebostad-g3a xn--hmmrfeasta-s4ac xn--hnefoss-q1a xn--h\
        obl-ira xn--holtlen-hxa xn--hpmir-xqa xn--hyanger-q1a xn--hylandet-54a xn--indery-fya xn--jlster-bya xn--jrpeland-54a xn--karlsy\
        -fya xn--karmy-yua xn--kfjord-iua xn--klbu-woa xn--koluokta-7ya57h xn--krager-gya xn--kranghke-b0a xn--krdsherad-m8a xn--krehamn\
        -dxa xn--krjohka-hwab49j xn--ksnes-uua xn--kvfjord-nxa xn--kvitsy-fya xn--kvnangen-k0a xn--l-1fa xn--laheadju-7ya xn--langevg-jx\
        a xn--ldingen-q1a xn--leagaviika-52b xn--lesund-hua xn--lgrd-poac xn--lhppi-xqa xn--linds-pra xn--loabt-0qa xn--lrdal-sra xn--lr\
        enskog-54a xn--lt-liac xn--lten-gra xn--lury-ira xn--mely-ira xn--merker-kua xn--mjndalen-64a xn--mlatvuopmi-s4a xn--mli-tla xn-\
        -mlselv-iua xn--moreke-jua xn--mosjen-eya xn--mot-tla xn--msy-ula0h xn--mtta-vrjjat-k7af xn--muost-0qa xn--nmesjevuemie-tcba xn-\
        -nry-yla5g xn--nttery-byae xn--nvuotna-hwa xn--oppegrd-ixa xn--ostery-fya xn--osyro-wua xn--porsgu-sta26f xn--rady-ira xn--rdal-\
        poa xn--rde-ula xn--rdy-0nab xn--rennesy-v1a xn--rhkkervju-01af xn--rholt-mra xn--risa-5na xn--risr-ira xn--rland-uua xn--rlinge\
        n-mxa xn--rmskog-bya xn--rros-gra xn--rskog-uua xn--rst-0na xn--rsta-fra xn--ryken-vua xn--ryrvik-bya xn--s-1fa xn--sandnessjen-\
        ogb xn--sandy-yua xn--seral-lra xn--sgne-gra xn--skierv-uta xn--skjervy-v1a xn--skjk-soa xn--sknit-yqa xn--sknland-fxa xn--slat-\
        5na xn--slt-elab xn--smla-hra xn--smna-gra xn--snase-nra xn--sndre-land-0cb xn--snes-poa xn--snsa-roa xn--sr-aurdal-l8a xn--sr-f\
        ron-q1a xn--sr-odal-q1a xn--sr-varanger-ggb xn--srfold-bya xn--srreisa-q1a xn--srum-gra xn--stjrdal-s1a xn--stjrdalshalsen-sqb x\
        n--stre-toten-zcb xn--tjme-hra xn--tnsberg-q1a xn--trany-yua xn--trgstad-r1a xn--trna-woa xn--troms-zua xn--tysvr-vra xn--unjrga\
        -rta xn--vads-jra xn--vard-jra xn--vegrshei-c0a xn--vestvgy-ixa6o xn--vg-yiab xn--vgan-qoa xn--vgsy-qoa0j xn--vre-eiker-k8a xn--\
        vrggt-xqad xn--vry-yla5g xn--yer-zna xn--ygarden-p1a xn--ystre-slidre-ujb\nnoc.ruhr-uni-bochum.de io\nnodeart.io stage\nnodebala\
        ncer.linode.com *\nnom.br *\nnordland.no bo heroy xn--b-5ga xn--hery-ira\nnorthflank.app *\nnospamproxy.com cloud\nnow dyn here \
        tmp\nnp *\nnr biz com edu gov info net org\nnt.no gs\nnu enterprisecloud merseine mine shacknet\nnv.us cc k12 lib\nnxa.eu *\nny.\
        us cc k12 lib\nnz ac cloudns co cri geek gen govt health iwi kiwi maori mil net org parliament school xn--mori-qsa\noaiuserconte\
        nt.com *\nobject.fin-ncloudstorage.com kr\nobject.gov-ncloudstorage.com kr krs\nobject.ncloudstorage.com de kr sg us\nobject.ncp\
        storage.com jp kr s3-website-jp\nobject.private.fin-ncloudstorage.com kr\nobject.private.gov-ncloudstorage.com kr krs\nobject.pr\
        ivate.ncloudstorage.com kr sg\nobject.private.ncpstorage.com jp kr\nobjectstorage.ch lpg rma\nobjectstorage.ncloud.com kr sg\nob\
        servableusercontent.com static\noci.customer-oci.com *\nocp.customer-oci.com *\nocs.customer-oci.com *\nof.no gs\noh.us cc k12 l\
        ib\noita.jp beppu bungoono bungotakada hasama hiji himeshima hita kamitsue kokonoe kuju kunisaki kusu oita saiki taketa tsukumi \
        usa usuki yufu\nok.us cc k12 lib\nokayama.jp akaiwa asakuchi bizen hayashima ibara kagamino kasaoka kibichuo kumenan kurashiki m\
        aniwa misaki nagi niimi nishiawakura okayama satosho setouchi shinjo shoo soja takahashi tamano tsuyama wake yakage\nokinawa.jp \
        aguni ginowan ginoza gushikami haebaru higashi hirara iheya ishigaki ishikawa itoman izena kadena kin kitadaito kitanakagusuku k\
        umejima kunigami minamidaito motobu nago naha nakagusuku nakijin nanjo nishihara ogimi okinawa onna shimoji taketomi tarama toka\
        shiki tomigusuku tonaki urasoe uruma yaese yomitan yonabaru yonaguni zamami\nol.no gs\nom co com edu gov med museum net org pro\
        \non-k3s.io *\non-rancher.cloud *\non-rio.io *\none service website\nonline barsy book eero eero-stage heimdns leapcell websiteb\
        uilder\nonstackit.cloud runs\nor.us cc k12 lib\noraclecloudapps.com *\noraclegovcloudapps.com *\noraclegovcloudapps.uk *\norange\
         tech\norg accesscam ae altervista barsy blogdns blogsite bmoattachments boldlygoingnowhere cable-modem camdvr cloudns collegefa\
        n couchpotatofries ddnss dnsalias dnsdojo doesntexist dontexist doomdns dpdns dsmynas duckdns dvrdns dynalias dyndns dynserv end\
        ofinternet endoftheinternet eu familyds fedorainfracloud fedorapeople freeddns freedesktop from-me fspages game-host gotdns hate\
        nadiary hepforge hk hobby-site homedns homeftp homelinux homeunix hopto httpbin in-dsl in-vpn ip-dynamic is-a-bruinsfan is-a-can\
        didate is-a-celticsfan is-a-chef is-a-geek is-a-knight is-a-linux-user is-a-patsfan is-a-soxfan is-found is-local is-lost is-sav\
        ed is-very-bad is-very-evil is-very-good is-very-nice is-very-sweet isa-geek jpn js kicks-ass misconfused mlbfan my-firewall myf\
        irewall myftp mysecuritycamera mywire nflfan no-ip now-dns pimienta podzone poivron potager pubtls read-books readmyblog routing\
        thecloud roxa selfip sellsyourhome servebbs serveftp servegame small-web spdns stuff-4-sale sweetpepper toolforge tunk tuxfamily\
         twmail ufcfan us webhop webredirect wmcloud wmflabs za zapto\norg.uk affinitylottery glug lug lugs raffleentry weeklylottery\no\
        rigin.cdn77-secure.org ssl\nos.fedoraproject.org app\nos.stg.fedoraproject.org app\nosaka.jp abeno chihayaakasaka chuo daito fuj\
        iidera habikino hannan higashiosaka higashisumiyoshi higashiyodogawa hirakata ibaraki ikeda izumi izumiotsu izumisano kadoma kai\
        zuka kanan kashiwara katano kawachinagano kishiwada kita kumatori matsubara minato minoh misaki moriguchi neyagawa nishi nose os\
        akasayama sakai sayama sennan settsu shijonawate shimamoto suita tadaoka taishi tajiri takaishi takatsuki tondabayashi toyonaka \
        toyono yao\noslo.no gs\nostfold.no valer\notap.co *\novh nerdpol\nowo.codes *\noxa.cloud tn uk\np.azurewebsites.net *\npa abo ac\
         com edu gob ing med net nom org sld\npa.crm.dev *\npa.us cc k12 lib\npaas.massivegrid.net fr-1 lon-1 lon-2 ny-1 ny-2 sg-1\npage\
         aem codeberg deuxfleurs heyflow hlx mybox pdns plesk prvcy rocky statichost\npanel.gg daemon\nparty.eus user\npaywhirl.com *\np\
        b.crm.dev *\npc.crm.dev *\npd.crm.dev *\npe com edu gob mil net nom org\npe.crm.dev *\npf com edu org\npf.crm.dev *\npg *\nph cl\
        oudns com edu gov i mil net ngo org\nphotos framer\npictures 1337\npizza ngrok\npk ac biz com edu fam gkp gob gog gok gop gos go\
        v net org web\npl agro aid art atm augustow auto babia-gora bedzin beep beskidy bialowieza bialystok bielawa bielsko bieszczady \
        biz boleslawiec bydgoszcz bytom cfolks cieszyn co com czeladz czest dfirma dkonto dlugoleka ecommerce-shop edu elblag elk gda gd\
        ansk gdynia gliwice glogow gmina gniezno gorlice gov grajewo gsm homesklep ilawa info iqhs jaworzno jelenia-gora jgora kalisz ka\
        rpacz kartuzy kaszuby katowice kazimierz-dolny kepno ketrzyn klodzko kobierzyce kolobrzeg konin konskowola krakow krasnik kutno \
        lapy lebork leczna legnica lezajsk limanowa lodz lomza lowicz lubartow lubin lublin lukow mail malbork malopolska mazowsze mazur\
        y med media miasta mielec mielno mil mragowo myspreadshop naklo net nieruchomosci nom nowaruda nysa olawa olecko olkusz olsztyn \
        opoczno opole org ostroda ostroleka ostrowiec ostrowwlkp pabianice pc pila pisz plock podhale podlasie polkowice pomorskie pomor\
        ze poniatowa powiat poznan priv prochowice pruszkow przeworsk pulawy radom rawa-maz realestate rel rybnik rzeszow sanok sdscloud\
         sejny sex shop shoparena sieradz simplesite skierniewice sklep skoczow slask slupsk sopot sos sosnowiec stalowa-wola starachowi\
        ce stargard suwalki swidnica swidnik swiebodzin swinoujscie szczecin szczytno szkola targi tarnobrzeg tgory tm torun tourism tra\
        vel turek turystyka tychy unicloud ustka walbrzych warmia warszawa waw wegrow wielun wlocl wloclawek wodzislaw wolomin wroc wroc\
        law you2 zachpomor zagan zakopane zarow zgierz zgora zgorzelec\npl-waw.scw.cloud cockpit ddl dtwh ifr k8s kafk mgdb rdb s3 s3-we\
        bsite scbl\nplace co\nplatform.sh ent eu us\nplatformsh.site *\nplayit.plus with\nplus playit\nply.gg d6\npm name own\npn co edu\
         gov net org\npr ac biz com edu est gov info isla name net org pro prof\npr.us cc k12 lib\nprgmr.com xen\nprimetel.cloud uk\npri\
        vate.repost.aws *\nprivatelink.snowflake.app *\npro aaa aca acct avocat bar barsy cloudns cpa eng jur keenetic law med ngrok rec\
        ht\nprod.atlassian-dev.net cdn\nprod.fastly.net a global\nprod.thingdust.io cust\nproject-study.com dev\nps com edu gov net org \
        plo sec\npstmn.io mock\npt 123paginaweb com edu gov int net nome org publ\npub barsy\npw cloudns gov x443\npy com coop edu gov m\
        il net org\npythonanywhere.com eu\nqa com edu gov mil name net org sch\nqualyhqpartner.com *\nqualyhqportal.com *\nquickconnect.\
        cn direct\nquickconnect.to direct\nquipelements.com *\nr.appspot.com *\nr.cloud.int.apple *\nrailway.app up\nraw.icp0.io *\nraw.\
        icp1.io *\nrb-hosting.io site\nrds.cn-north-1.amazonaws.com.cn *\nrds.cn-northwest-1.amazonaws.com.cn *\nre asso can com netlib\
        \nreclaim.cloud ca uk us\nrender.com app\nrepl.co id\nreplit.app id\nreplit.dev *\nresinstaging.io devices\nretrosnub.co.uk cust\
        \nreviews aem\nri.us cc lib\nrip clan\nrit.edu git-pages\nrl.no gs\nrma.cloudscale.ch objects\nro arts barsy co com firm info no\
        m nt org rec shop store tm www\nrocks lima-city myddns stackit webspace\nrs ac barsy co edu gov in org ox\nru ac adygeya bashkir\
        ia bir cbg com dagestan edu eurodir gov grozny int kalmykia kustanai marine mcdir mcpre mil mircloud mordovia msk myjino mytis n\
        a4u nalchik net nov org pp pyatigorsk ras spb vladikavkaz vladimir\nru-msk.k2.cloud lb s3 website\nru-spb.k2.cloud lb s3 website\
        \nrun canva cloud development liara lovable needle onporter ravendb repl stackit val vercel wix\nrun.app *\nrw ac co coop gov mi\
        l net org\ns.brave.app *\ns.brave.dev *\ns.brave.io *\nsa com edu gov med net org pub sch\nsa-east-1.airflow.amazonaws.com *\nsa\
        -east-1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-object-lambda s3-website\n\
        sa-east-1.amazoncognito.com auth\nsa-east-1.cs.amazonlightsail.com *\nsa-east-1.on.aws lambda-url transfer-webapp\nsa-east-1.rds\
        .amazonaws.com *\nsa-east-1.sagemaker.aws notebook studio\nsaga.jp ariake arita fukudomi genkai hamatama hizen imari kamimine ka\
        nzaki karatsu kashima kitagata kitahata kiyama kouhoku kyuragi nishiarita ogi omachi ouchi saga shiroishi taku tara tosu yoshino\
        gari\nsaitama.jp arakawa asaka chichibu fujimi fujimino fukaya hanno hanyu hasuda hatogaya hatoyama hidaka higashichichibu higas\
        himatsuyama honjo ina iruma iwatsuki kamiizumi kamikawa kamisato kasukabe kawagoe kawaguchi kawajima kazo kitamoto koshigaya kou\
        nosu kuki kumagaya matsubushi minano misato miyashiro miyoshi moroyama nagatoro namegawa niiza ogano ogawa ogose okegawa omiya o\
        taki ranzan ryokami saitama sakado satte sayama shiki shiraoka soka sugito toda tokigawa tokorozawa tsurugashima urawa warabi ya\
        shio yokoze yono yorii yoshida yoshikawa yoshimi\nsapporo.jp !city *\nsaveincloud.net jelastic nordeste-idc\nsb com edu gov net \
        org\nsc com edu gov net org\nsc.us cc k12 lib\nscaleforce.com.cy j\nscaleforce.net j\nsch.uk *\nscot co gov me mygov org\nscrypt\
        ed.io client\nscw.cloud k8s scalebook smartlabeling\nscw.site ams waw\nsd com edu gov info med net org tv\nsd.us cc lib\nse 123m\
        insida a ac b bd brand c com d e f fh fhsk fhv g h i iopsys itcouldbewor k komforb kommunalforbund komvux l lanbib m myspreadsho\
        p n naturbruksgymn o org p parti pp press r s t tm u w x y z\nsendai.jp !city *\nservices loginline\nservices.clever-cloud.com *\
        \nsf.no gs\nsg com edu enscaled gov net org\nsg.object.ncloudstorage.com s3-website\nsh botda com gov hashbang lovable mil net n\
        ow org surge teleport\nsh.cn as\nshiga.jp aisho gamo higashiomi hikone koka konan kosei koto kusatsu maibara moriyama nagahama n\
        ishiazai notogawa omihachiman otsu ritto ryuoh takashima takatsuki torahime toyosato yasu\nshimane.jp akagi ama gotsu hamada hig\
        ashiizumo hikawa hikimi izumo kakinoki masuda matsue misato nishinoshima ohda okinoshima okuizumo shimane tamayu tsuwano unnan y\
        akumo yasugi yatsuka\nshizuoka.jp arai atami fuji fujieda fujikawa fujinomiya fukuroi gotemba haibara hamamatsu higashiizu ito i\
        wata izu izunokuni kakegawa kannami kawanehon kawazu kikugawa kosai makinohara matsuzaki minamiizu mishima morimachi nishiizu nu\
        mazu omaezaki shimada shimizu shimoda shizuoka susono yaizu yoshida\nshop barsy barsyonline base hoplix shopware\nshow ms\nsi f5\
         gitpage\nsite barsy byen caffeine chatgpt co convex cpanel cyon fastvps figma figma-gov heyflow jele jouwweb loginline madethis\
         notion novecore omniwe opensocial piebox playcode preview puter scw sol sourcecraft square srht support wpsquared\nsk org\nsl c\
        om edu gov net org\nsn art com edu gouv org univ\nsnowflake.app *\nso com edu gov me net org surveys\nspace app-ionos deployagen\
        t heiyu hf myfast project uber vibehost xs4all\nspawn.cc instances\nspectrum.myjino.ru *\nspeedpartner.de customer\nsrcf.net soc\
         user\nsrv.us gh gl\nsrvrless.rdpa.co *\nss biz co com edu gov me net org sch\nssl.fastly.net a b global\nst co com consulado ed\
        u embaixada helioho kirara mil net noho org principe saotome store\nst.no gs\nstaging.expo.app on\nstatics.cloud *\nstg-builder.\
        code.com *\nstg.dev *\nstgstage.dev *\nstolos.io *\nstoracha.link ipfs\nstorage.dev t3\nstorageapi.dev t3\nstore barsy sellfy sh\
        opware storebase\nstrapiapp.com media\nstudio ai\nsu abkhazia adygeya aktyubinsk arkhangelsk armenia ashgabad azerbaijan balasho\
        v bashkiria bryansk bukhara chimkent dagestan east-kazakhstan exnet georgia grozny ivanovo jambyl kalmykia kaluga karacol karaga\
        nda karelia khakassia krasnodar kurgan kustanai lenug mangyshlak mordovia msk murmansk nalchik navoi north-kazakhstan nov obnins\
        k penza pokrovsk sochi spb tashkent termez togliatti troitsk tselinograd tula tuva vladikavkaz vladimir vologda\nsupabase.co rea\
        ltime storage\nsupport barsy\nsv com edu gob org red\nsvalbard.no gs\nsvc.firenet.ch *\nsx gov\nsy com edu gov mil net org\nsys.\
        qcx.io *\nsystems miren\nsz ac co org\ntawk.email p\ntawkto.email p\ntb-hosting.com site\nteam discourse jelastic\nteams.replit.\
        dev *\ntech cleverapps\ntechnology co\nteckids.org s3\ntelebit.xyz *\ntelemark.no bo xn--b-5ga\ntesting.thingdust.io cust reserv\
        d\ntf sch\nth ac co go in mi net online or shop\ntj biz co com edu go gov int mil name net nic org test web\ntl gov\ntm co com e\
        du gov mil net nom org\ntm.no gs\ntn com ens fin gov ind info intl mincom nat net orangecloud org perso tourism\ntn.us cc k12 li\
        b\nto 611 com edu gov mil net nett org vpnplus x0\ntochigi.jp ashikaga bato haga ichikai iwafune kaminokawa kanuma karasuyama ku\
        roiso mashiko mibu moka motegi nasu nasushiobara nikko nishikata nogi ohira ohtawara oyama sakura sano shimotsuke shioya takanez\
        awa tochigi tsuga ujiie utsunomiya yaita\ntoday prequalifyme\ntokushima.jp aizumi anan ichiba itano kainan komatsushima matsushi\
        ge mima minami miyoshi mugi nakagawa naruto sanagochi shishikui tokushima wajiki\ntokyo.jp adachi akiruno akishima aogashima ara\
        kawa bunkyo chiyoda chofu chuo edogawa fuchu fussa hachijo hachioji hamura higashikurume higashimurayama higashiyamato hino hino\
        de hinohara inagi itabashi katsushika kita kiyose kodaira koganei kokubunji komae koto kouzushima kunitachi machida meguro minat\
        o mitaka mizuho musashimurayama musashino nakano nerima ogasawara okutama ome oshima ota setagaya shibuya shinagawa shinjuku sug\
        inami sumida tachikawa taito tama toshima\ntools myaddr\ntop ntdll\ntorproject.net pages\ntottori.jp chizu hino kawahara koge ko\
        toura misasa nanbu nichinan sakaiminato tottori wakasa yazu yonago\ntoyama.jp asahi fuchu fukumitsu funahashi himi imizu inami j\
        ohana kamiichi kurobe nakaniikawa namerikawa nanto nyuzen oyabe taira takaoka tateyama toga tonami toyama unazuki uozu yamada\nt\
        r av bbs bel biz com dr edu gen gov info k12 kep mil name nc net org pol tel tsk tv web\ntr.no gs\ntransip.me site\ntransurl.be \
        *\ntransurl.eu *\ntransurl.nl *\ntrendhosting.cloud ch de\ntriton.zone *\ntst.site *\ntt biz co com edu gov info mil name net or\
        g pro\ntv better-than dyndns from on-the-web sakura worse-than\ntw club com ebiz edu game gov idv mil mydns net org url\ntx.us c\
        c k12 lib\ntypeform.com pro\ntz ac co go hotel info me mil mobi ne or sc tv\nua biz cc cherkassy cherkasy chernigov chernihiv ch\
        ernivtsi chernovtsy ck cn co com cr crimea cv cx dn dnepropetrovsk dnipropetrovsk donetsk dp edu gov if in inf ivano-frankivsk k\
        h kharkiv kharkov kherson khmelnitskiy khmelnytskyi kiev kirovograd km kr kropyvnytskyi krym ks kv kyiv lg lt ltd lugansk luhans\
        k lutsk lv lviv mk mykolaiv net nikolaev od odesa odessa org pl poltava pp rivne rovno rv sb sebastopol sevastopol sm sumy te te\
        rnopil uz uzhgorod uzhhorod v vinnica vinnytsia vn volyn yalta zakarpattia zaporizhzhe zaporizhzhia zhitomir zhytomyr zp zt\nug \
        ac co com edu go gov mil ne or org sc us\nuk ac barsy co conn copro gov hosp independent-commission independent-inquest independ\
        ent-inquiry independent-panel independent-review ltd me net nhs nimsite org plc police public-inquiry pymnt royal-commission\nup\
        sun.app *\nus ak al ar as az azure-api azurewebsites ca cloudns co ct dc de dni fl freeddns ga golffan gu heliohost hi ia id il \
        in is-by isa ks ky la land-4-sale ma md me mi mircloud mn mo ms mt nc nd ne ngo nh nj nm noip nsn nv ny oh ok or pa pointto pr r\
        i sc sd servername srv stuff-4-sale tn tx ut va vi vt wa wi wv wy\nus-central-1.r.cloud.int.apple *\nus-central-2.r.cloud.int.ap\
        ple *\nus-east-1.airflow.amazonaws.com *\nus-east-1.amazonaws.com analytics-gateway emrappui-prod emrnotebooks-prod emrstudio-pr\
        od execute-api s3 s3-accesspoint s3-accesspoint-fips s3-deprecated s3-fips s3-object-lambda s3-website\nus-east-1.amazoncognito.\
        com auth auth-fips\nus-east-1.cs.amazonlightsail.com *\nus-east-1.on.aws lambda-url transfer-webapp\nus-east-1.r.cloud.int.apple\
         *\nus-east-1.rds.amazonaws.com *\nus-east-1.sagemaker.aws labeling notebook notebook-fips studio\nus-east-2.airflow.amazonaws.c\
        om *\nus-east-2.amazonaws.com analytics-gateway emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-\
        accesspoint-fips s3-deprecated s3-fips s3-object-lambda s3-website\nus-east-2.amazoncognito.com auth auth-fips\nus-east-2.cs.ama\
        zonlightsail.com *\nus-east-2.on.aws lambda-url transfer-webapp\nus-east-2.r.cloud.int.apple *\nus-east-2.rds.amazonaws.com *\nu\
        s-east-2.sagemaker.aws labeling notebook notebook-fips studio\nus-gov-east-1.amazonaws.com emrappui-prod emrnotebooks-prod emrst\
        udio-prod execute-api s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-object-lambda s3-website\nus-gov-east-1.amazoncognito.com\
         auth-fips\nus-gov-east-1.on.aws transfer-webapp transfer-webapp-fips\nus-gov-east-1.rds.amazonaws.com *\nus-gov-east-1.sagemake\
        r.aws notebook notebook-fips studio studio-fips\nus-gov-west-1.amazonaws.com emrappui-prod emrnotebooks-prod emrstudio-prod exec\
        ute-api s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-object-lambda s3-website\nus-gov-west-1.amazoncognito.com auth-fips\nus\
        -gov-west-1.on.aws transfer-webapp transfer-webapp-fips\nus-gov-west-1.rds.amazonaws.com *\nus-gov-west-1.sagemaker.aws notebook\
         notebook-fips studio studio-fips\nus-northeast-1.rds.amazonaws.com *\nus-west-1.airflow.amazonaws.com *\nus-west-1.amazonaws.co\
        m emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-accesspoint-fips s3-fips s3-object-lambda s3-w\
        ebsite\nus-west-1.amazoncognito.com auth auth-fips\nus-west-1.on.aws lambda-url transfer-webapp\nus-west-1.r.cloud.int.apple *\n\
        us-west-1.rds.amazonaws.com *\nus-west-1.sagemaker.aws notebook notebook-fips studio\nus-west-2.airflow.amazonaws.com *\nus-west\
        -2.amazonaws.com analytics-gateway emrappui-prod emrnotebooks-prod emrstudio-prod execute-api s3 s3-accesspoint s3-accesspoint-f\
        ips s3-deprecated s3-fips s3-object-lambda s3-website\nus-west-2.amazoncognito.com auth auth-fips\nus-west-2.cs.amazonlightsail.\
        com *\nus-west-2.on.aws lambda-url transfer-webapp\nus-west-2.r.cloud.int.apple *\nus-west-2.rds.amazonaws.com *\nus-west-2.sage\
        maker.aws labeling notebook notebook-fips studio\nus-west-3.r.cloud.int.apple *\nus.object.ncloudstorage.com s3-website\nuser.fm\
         *\nuser.localcert.dev *\nusercontent.goog *\nusgovcloudapi.net servicebus\nut.us cc k12 lib\nuy com edu gub gv mil net org\nuz \
        co com net org\nva.no gs\nva.us cc k12 lib\nval.run web\nvc com edu gov gv mil mydns net org\nve arts bib co com e12 edu emprend\
        e firm gob gov ia info int mil net nom org rar rec store tec web\nvestfold.no sande\nvf.no gs\nvg edu\nvi co com k12 net org\nvi\
        .us cc k12 lib\nvip hidns\nvn ac ai angiang bacgiang backan baclieu bacninh baria-vungtau bentre binhdinh binhduong binhphuoc bi\
        nhthuan biz camau cantho caobang com daklak daknong danang dienbien dongnai dongthap edu gialai gov hagiang haiduong haiphong ha\
        nam hanoi hatinh haugiang health hoabinh hue hungyen id info int io khanhhoa kiengiang kontum laichau lamdong langson laocai lon\
        gan namdinh name net nghean ninhbinh ninhthuan org phutho phuyen pro quangbinh quangnam quangngai quangninh quangtri soctrang so\
        nla tayninh thaibinh thainguyen thanhhoa thanhphohochiminh thuathienhue tiengiang travinh tuyenquang vinhlong vinhphuc yenbai\nv\
        ps.myjino.ru *\nvt.us cc k12 lib\nvu com edu net org\nvultrobjects.com *\nw.crm.dev *\nw3s.link ipfs\nwa.crm.dev *\nwa.us aberde\
        en bainbridge-isl bellevue bremerton cc centralia chehalis forks gig-harbor hoquiam k12 keyport kingston lib olympia port-angele\
        s port-ludlow port-orchard port-townsend poulsbo redmond renton sea seattle sequim shelton silverdale yarrow-point\nwadl.top *\n\
        wafaicloud.com jed ryd\nwakayama.jp arida aridagawa gobo hashimoto hidaka hirogawa inami iwade kainan kamitonda katsuragi kimino\
         kinokawa kitayama koya koza kozagawa kudoyama kushimoto mihama misato nachikatsuura shingu shirahama taiji tanabe wakayama yuas\
        a yura\nwb.crm.dev *\nwc.crm.dev *\nwd.crm.dev *\nwe.crm.dev *\nwebaccel.jp rs user\nwebhare.dev *\nwebhosting.be site\nwebpaas.\
        ovh.net *\nwebsite framer\nwebsite.ncloudstorage.com kr kr-naver kr-naver-dev\nwf biz sch\nwf.crm.dev *\nwi.us cc k12 lib\nwiard\
        web.com pages\nwiki framer\nwindows.net servicebus\nwmcloud.org beta\nwork imagine-proxy puter\nwpenginepowered.com js\nws cloud\
        66 com dyndns edu gov mypets net org\nwtf ddns\nwv.us cc\nwy.us cc k12 lib\nxenonconnect.de *\nxmit.co *\nxn--4dbrk0ce xn--4dbgd\
        ty6c xn--5dbhl8d xn--8dbq2a xn--hebda8b\nxn--90a3ac xn--80au xn--90azh xn--c1avg xn--d1at xn--o1ac xn--o1ach\nxn--j6w193g xn--55\
        qx5d xn--gmqw5a xn--mxtq1m xn--od0alg xn--uc0atv xn--wcvs22d\nxn--mre-og-romsdal-qqb.no sande xn--hery-ira\nxn--o3cw4h xn--12c1f\
        e0br xn--12cfi8ixb8l xn--12co0c3b4eva xn--h3cuzk1di xn--m3ch0j3a xn--o3cyx2a\nxn--p1acf xn--41a xn--80aaa0cvac xn--90a1af xn--90\
        amc xn--c1avg xn--h1ahn xn--h1aliz xn--j1adp xn--j1aef xn--j1ael8b\nxn--stfold-9xa.no xn--vler-qoa\nxyz botdash caffeine exe ope\
        ntunnel\nyamagata.jp asahi funagata higashine iide kahoku kaminoyama kaneyama kawanishi mamurogawa mikawa murayama nagai nakayam\
        a nanyo nishikawa obanazawa oe oguni ohkura oishida sagae sakata sakegawa shinjo shirataka shonai takahata tendo tozawa tsuruoka\
         yamagata yamanobe yonezawa yuza\nyamaguchi.jp abu hagi hikari hofu iwakuni kudamatsu mitou nagato oshima shimonoseki shunan tab\
        use tokuyama toyota ube yuu\nyamanashi.jp chuo doshi fuefuki fujikawa fujikawaguchiko fujiyoshida hayakawa hokuto ichikawamisato\
         kai kofu koshu kosuge minami-alps minobu nakamichi nanbu narusawa nirasaki nishikatsura oshino otsuki showa tabayama tsuru ueno\
        hara yamanakako yamanashi\nyandexcloud.net storage website\nye com edu gov mil net org\nyokohama.jp !city *\nyt org\nza ac agric\
         alt co edu gov grondar law mil net ngo nic nis nom org school tm web\nzerops.app *\nzerops.zone *\nzm ac biz co com edu gov inf\
        o mil net org sch\nzone lima prg1-zerops stackit\nztna-dingtalk.com *\nzw ac co gov mil org\n
        """
    }

    /// The offset of each line and of the end of the last, as four digits of five bits each.
    static var offsets: StaticString {
        """
        000009bq09de09dm09e109ee09en09f409gm09h009hd09hu09j709jk09k309kg09ld09lq09ma0agv0ahm0aip0amr0ant0apa0aq90ari0arv0asp0at20au90bac\
        0bb80bc30bd30be30bf30bfv0bgr0bhr0bir0bjr0bkr0blr0bmr0bnp0bok0bq50brq0bso0btm0bui0bve0c0a0c150c200c2r0c3p0c4n0c5j0c6e0c790c840c8v\
        0c9q0cab0cas0cbc0cif0cja0cjr0ckb0clb0d830d940df00dg20dk30dl40dm70dnj0doh0dpp0dqq0drr0dsp0dto0duv0e3n0e4t0e650e7m0e8p0eaf0ebm0ege\
        0ehk0eis0ekd0elg0en60eod0esj0etp0eva0f0d0f1q0f2t0f7h0f8j0f9n0fb40fc30fd20fek0ffn0fjp0fkr0flt0fms0fnr0fot0fq40fus0g020g1a0g2r0g3u\
        0g5k0g6r0gbj0gcp0ge10gfi0ggl0gib0gji0gno0gou0gq60grn0gsq0gu70gve0h3k0h4q0h600h730h890h9g0hcl0hdr0hf30hg90hhc0hii0hjo0hkr0hm20hn8\
        0hoe0hph0i8c0i8m0i950ibe0ibv0id70ide0idv0iei0ifa0iip0ija0ijm0ikk0il70im30io60ior0ip20ipd0ir00isi0iu90j000j1n0j3a0j510j6o0j8d0ja2\
        0jbl0jd80jeq0jgc0jhu0jjj0jl60jmo0joa0jps0jre0jt00jtj0ju60jvt0k0e0k190k1t0k4d0l8e0l9c0l9o0lb70lbp0ld50ler0lgf0lid0lkb0lm50lnv0lpt\
        0lrr0ltp0lvn0m1j0m3f0m590m730m8t0mam0mcf0me80mg10mhq0mjj0mlg0mn90mp20mpi0mq60mqi0mr30mrf0mrm0mu70muu0mvj0n3i0n480n830n8q0n9k0nj9\
        0ob40obk0oc40ock0ode0oe50oee0oes0ofo0og40ogn0oha0oi00oic0ois0ojh0oka0ol60omd0omo0opd0oqi0ovi0p0m0p1s0p3b0p4c0p6e0p7g0pcd0pde0pef\
        0pfd0pgs0phd0phr0pib0pik0pmf0pmp0pn50pnl0pqn0pr90qaf0qci0qcv0qd90qe30qev0qfd0qmp0qnb0qo20qoo0qpj0qr60qso0quf0r060r1t0r3g0r570r6u\
        0r8j0ra80rbr0rde0rf00rgi0ri40rja0rkt0rmf0ro10rpj0rr50rsn0rt70rtq0ruk0rv90s020s120s1n0s2b0s2u0s3m0s490s4r0sb70scd0sh00sin0sk30sld\
        0spm0srh0st10st90t0i0t1j0t210t3q0t4b0t4m0t6e11ir11jf11k111kh11lf11lt11mn11nf11oa11or11pj11q811r911s911sr11u011uv11ve1206120m1217\
        1226122u123h124v125i128a12a112ak12b012bj12c212ct12dn12ek12f512fp1356136d136m1377137q13hl13ic13j413k213ki13l213lr13m913na13o013pk\
        13qe13rp13sc13uc140014241448146c148c14ac14cg14ek14go14is14l014nu14qp14ss14uo150q152s154h156h158h15ag15c415e315g515i715js15lr15om\
        15rh15ug161f164a1675167h1684169f16at16ib16jo16k516lh16nd16so17ah17bn17cb17d217dg17ea17em17f717fp17g917ge17gq17i717jc17jn17k217lq\
        17mv17rl17sp17tv17ve180f181g18341849188d189h18al18bm18d118e418i618j818kc18lp18mo18o118p418t618u818vl190u1921196319751989199b19ak\
        19bm19gn19ho19ir19k719l519mm19no19rp19sq19tt19v91a071a1o1a2q1a6r1a7s1a8v1aab1ab91ach1ahp1aio1akf1am41aml1an91ant1ao81aoq1apb1aq7\
        1aqr1ar31arq1asb1asq1ati1avh1avu1b0b1b121b2l1b2q1b3b1b3t1b4m1b4v1b5u1b6e1bfm1bi91bil1bmb1c4r1ci51cir1cjd1cjs1ckd1ckv1cld1cln1cm2\
        1cmb1co01cp91cq81cr31d4f1d551d5l1d6f1d741d881d911dbp1djm1dk71dl31dm01dn81dno1don1dps1dqd1e3q1e421e481e521e5d1e6e1e6u1e7e1e7r1eek\
        1ef41elf1elo1em11ems1fsd1ft31fti1fu21g1n1g2j1g301g431g4l1g5d1g611g6j1g771g7k1ga81gg01gqv1grg1h821h8c1ham1hav1hbg1hc41hd81hea1hff\
        1hjj1hkn1hlr1hms1ho71hoo1hpj1i121i1k1i251i2l1i361ib11ibu1ic51id11iu11ius1j1b1j601j6q1j7k1mvh1n0p1n9h1na11nai1nb51nbn1ncp1nde1ndj\
        1nfc1pc81pd51pea1pf71pgc1ph61pi21pit1pjo1pkj1pos1pu91q5v1q6j1q7l1q861q9a1qa11qb11qbb1qbl1qcb1qfg1qg31qgj1qnt1qoo1qvi1r0t1r281r3f\
        1r3q1r561r5n1r6b1rc31rco1rdn1rea1rer1rmj1rnl1rot1rpe1rpr1rqf1rr21rrp1rsm1rt01rtf1s071s0m1s241s2n1s3b1s441s4h1s6i1s701s781s7r1s8l\
        1s9c1sah1sao1sb61sbt1sd41sea1sf51sfm1sga1sgv1sha1shn1sht1sie1sph1sqm1suq1svu1t121t231t3e1t4h1t8j1t9l1tb21tc11tda1tdr1te81tev1tfn\
        1tgd1tgu1ti01tjv1tqj1tr31u3k1uas1ubs1udo1udt1ueg1uf11ufo1ug91ugs1uhb1uia1uig1uin1uj01uk01ukd1ul01ulh1um01ums1uou1uq81uqv1us31ut7\
        1uu81uvc1uvt1v2j1v3k1v4e1v4r1vn01vsj1vt51vtu207s2088208i209320ap20cs20dd20do224e225o2268227q228f22an22bl22c622dv22m222mj22oq22r9\
        22ri22s329k129kr29lc29m629mf29nr29oc29p229pj29po29qo29r129sb29ss29t529tm2a0q2a1f2a2f2a3j2a4o2a622a7a2a8m2a9t2ab12abq2acp2adq2aeh\
        2af82afv2ag82agp2al42all2as72b6u2b772b8g2b8s2b9f2b9r2baf2bch2bd62bdn2bed2bf62bfu2bga2ci12ck02cks2cll2cmi2d492d4k2d552d5f2d5r2d67\
        2d6n2d7d2d8r2d982d9p2dbe2ddv2def2deu2dfd2dfq2dg72dgk2dhj2di02dif2dis2dj12dka2dko2dl62dli2dng2f502f7b2f7k2f8a2f8s2f9d2f9p2fa32faf\
        2fb52fcv2fdg2fdu2feg2ff52fg12fik2fjf2fk82fkv2fll2fmk2fn22fok2fou2fpi2fqi2fr82fsc2ft12ftl2fuc2fv32fvm2g062g0q2g192g1n2g252g2o2g3q\
        2g502g5n2g6e2g6t2g782g7m2g832g8r2g9g2g9s2ga92gai2gb42gbd2gc72ge72gff2ggg2gn82go62gp42gs22gsc2gta2gto2gu62guj2gvm2h0o2h4p2h5q2h6t\
        2h892h972haf2hgp2i242i2n2i3t2i4k2i5b2i5s2i6g2i712i7a2i832i8m2i9s2iad2ibg2ibt2ii12iij2ij62ik22ikb2ilb2imi2ioj2ios2iul2j4f2jdt2jf9\
        2jfh2jfv2jn82jnf2jo62jp32jpj2jql2jsu2jth2ju62juv2jvh2jvu2k0h2k1m2k2g2k592k5i2k662k6m2k7d2k7n2k862k8i2k952k9k2ka62kbc2kc02kca2kq8\
        2kr52krj2ksa2ksp2kta2kth2kuc2kup2kv72kvk2l012l0g2l142l1s2l2f2l2v2l3d2l3s2l4a2l532l652l6c2l7h2l9c2l9j2lal2lau2ldc2ldt2lfc2ln22lnl\
        2ls82mb02mbd2mbn2mcc2mfl2mlf2mo82moh2mp12mpf2mpt2mqb2mr42mri2mrt2mtd2mv52n0t2n1e2n1v2n3e2nkt2nm92nss2nt82o6v2o802o912oa32og02ohb\
        2oie2ojq2oko2olm2onl2oon2ouk2ovv2p122p2e2p3c2p4a2p692pba2pck2pee2pfg2phm2pmn2po12ppr2pqt2pt32pu62pv82q452q5g2q6s2q7q2q8o2qae2qbg\
        2qhd2qio2qjr2ql72qm52qn32qp22qq02qr72qrh2qs62qsp2qtm2qu72qv52qvn2r002r0h2r0t2r212r542r5m2r5v2r662r6s2r7d2r7n2rqq2rra2rrr2rse2rt1\
        2rtd2rtr2ru82s672s6i2s792seo2sf52sfi2sfv2sgc2sh02she2si12sij2sj22skl2sl02sld2slu2smh2smt2snk2so52sou2spl2sr22srb2srk2ss52ssn2st1\
        2suv2t132t3i2t4v2t802tbl2tck2tdo2tmg2tqa2u272u372u422u4m2u4t2u7e2u7r2u892u9n2ual2ub92ubu
        """
    }
}
